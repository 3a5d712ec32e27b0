"""What follows fake_torch.py for one that has a GPU, whose clock says that all work takes 250 ms."""
# ruff: noqa: E731, F821

import contextlib
import operator

float16, bfloat16, float32, float64 = np.float16, np.float32, np.float32, np.float64
settings = types.SimpleNamespace(allow_tf32=True)
backends = types.SimpleNamespace(cuda=types.SimpleNamespace(matmul=settings))
recording = None
run_at_once = matmul


def matmul(a, b, out=None):
    """While a graph is captured, nothing runs."""
    if recording is None:
        return run_at_once(a, b, out)
    recording.append((a, b, out))
    return out


def operate(operation):
    return lambda *tensors: Tensor(operation(*(getattr(each, "values", each) for each in tensors)))


for name in ("matmul", "sub", "mul", "truediv", "abs"):
    setattr(Tensor, f"__{name}__", operate(getattr(operator, name)))
Tensor.__rmul__, Tensor.__float__ = Tensor.__mul__, lambda self: float(self.values)
Tensor.shape, Tensor.max = property(lambda self: self.values.shape), lambda self: Tensor(self.values.max())


def tensor(values, device):
    assert device == "cuda:0"
    return Tensor(values.copy())


class CUDAGraph:
    def __init__(self):
        self.calls = []

    def replay(self):
        for call in self.calls:
            run_at_once(*call)


@contextlib.contextmanager
def graph(captured):
    global recording
    recording = captured.calls
    yield
    recording = None


class Event:
    def __init__(self, enable_timing):
        assert enable_timing

    record = synchronize = lambda self: None
    elapsed_time = lambda self, end: 250.0


cuda = types.SimpleNamespace(
    is_available=lambda: True, set_device=lambda place: None, synchronize=lambda: None, empty_cache=lambda: None,
    Event=Event, CUDAGraph=CUDAGraph, graph=graph,
)  # fmt: skip
