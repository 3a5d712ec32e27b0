matmul = None
