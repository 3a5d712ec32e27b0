import gpucore as gp


@gp.kernel
def add(
    a: gp.In[gp.f32], b: gp.In[gp.f32], c: gp.In[gp.f32], d: gp.In[gp.f32], e: gp.In[gp.f32],
    f: gp.In[gp.f32], g: gp.In[gp.f32], h: gp.In[gp.f32], y: gp.Out[gp.f32],
):
    i = gp.global_id(0)
    y[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i]


def run(device):
    add(*[gp.zeros(4, device=device) for _ in range(9)], invocations=4)

# fix
#-    f: gp.In[gp.f32], g: gp.In[gp.f32], h: gp.In[gp.f32], y: gp.Out[gp.f32],
#+    f: gp.In[gp.f32], g: gp.In[gp.f32], y: gp.Out[gp.f32],
#-    y[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i]
#+    y[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i]
#-    add(*[gp.zeros(4, device=device) for _ in range(9)], invocations=4)
#+    add(*[gp.zeros(4, device=device) for _ in range(8)], invocations=4)
