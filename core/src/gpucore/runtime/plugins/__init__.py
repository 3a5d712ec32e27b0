"""Discovery, loading and checks of plugins; conflicts of their names."""
