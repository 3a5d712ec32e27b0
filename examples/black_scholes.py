"""Prices of European call and put options by the formula of Black and Scholes."""

import argparse
import math

import numpy as np

import gpucore as gp


@gp.struct
class Market:
    rate: gp.f32
    volatility: gp.f32


def normal(x):
    """The normal distribution function."""
    return 0.5 * (1.0 + math.erf(x * math.sqrt(0.5)))


@gp.kernel
def prices(
    market: Market,
    spot: gp.In[gp.f32],
    strike: gp.In[gp.f32],
    years: gp.In[gp.f32],
    call: gp.Out[gp.f32],
    put: gp.Out[gp.f32],
):
    i = gp.global_id(0)
    if i < call.size:
        s, k, t = spot[i], strike[i], years[i]
        spread = market.volatility * math.sqrt(t)
        drift = (market.rate + market.volatility**2 / 2) * t
        d1 = (math.log(s / k) + drift) / spread
        d2 = d1 - spread
        discounted = k * math.exp(-market.rate * t)
        call[i] = s * normal(d1) - discounted * normal(d2)
        put[i] = discounted * normal(-d2) - s * normal(-d1)


def black_scholes(spot, strike, years, rate, volatility, device=None):
    """The prices of the calls and of the puts (f32), for arrays of one length."""
    spot, strike, years = (gp.asarray(part, gp.f32, device=device) for part in (spot, strike, years))
    call, put = (gp.empty(spot.size, device=spot.device) for _ in range(2))
    prices(Market(rate, volatility), spot, strike, years, call, put, invocations=spot.size)
    return call.numpy(), put.numpy()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    gp.add_device_argument(parser)
    device = gp.device(parser.parse_args().device)
    strikes = np.arange(80.0, 121.0, 10.0)
    calls, puts = black_scholes(np.full(5, 100.0), strikes, np.ones(5), rate=0.03, volatility=0.2, device=device)
    print(f"{device.name}: spot 100, one year")
    for strike, call, put in zip(strikes, calls, puts, strict=True):
        print(f"strike {strike:5.1f}  call {call:6.3f}  put {put:6.3f}")
