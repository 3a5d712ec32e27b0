"""The documentation's site. `make docs` builds it from the pages here; what it adds to them is in docs/site."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "site"))

import gpucore

project = "gpucore"
author = "the gpucore authors"
version = release = gpucore.__version__
copyright = author

extensions = ["myst_nb", "sphinx_design", "repository_pages", "gallery", "measured", "modelled"]
exclude_patterns = ["_build"]
nitpicky = True
highlight_language = "none"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # the anchors that code hosts give to headings
nb_execution_mode = "off"  # tests/docs runs the notebook and compares what it prints with what is stored

html_theme = "furo"
pygments_dark_style = "github-dark"
html_title = f"gpucore {version}"
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
