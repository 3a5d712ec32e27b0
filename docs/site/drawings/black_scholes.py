"""Prices by the price of the share today: strike 100, one year, three volatilities."""

import matplotlib.pyplot as plt
import numpy as np
from black_scholes import black_scholes

spot = np.linspace(50.0, 150.0, 101)
for volatility, line in ((0.1, ":"), (0.2, "--"), (0.4, "-")):
    call, put = black_scholes(spot, np.full(101, 100.0), np.ones(101), 0.03, volatility)
    plt.plot(spot, call, "C0" + line, label=f"call, volatility {volatility}")
    plt.plot(spot, put, "C1" + line, label=f"put, volatility {volatility}")
plt.xlabel("price of the share")
plt.ylabel("price of the option")
plt.legend()
