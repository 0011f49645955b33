"""Works out the household's share of the shared water meter.

The house has one main meter and three sub-meters. The garden has none: its use is
the difference, and everybody pays for it in equal parts.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

PRICE_PER_CUBIC_METRE = Decimal("4.35")
STANDING_CHARGE = Decimal("38.40")
CENT = Decimal("0.01")


class MeterError(ValueError):
    """A reading that cannot be right, such as one lower than the last."""


@dataclass(frozen=True)
class Reading:
    flat: str
    before: int
    after: int

    @property
    def used(self) -> int:
        if self.after < self.before:
            raise MeterError(f"{self.flat}: the meter runs backwards ({self.before} to {self.after})")
        return self.after - self.before


def split_bill(main: Reading, flats: list[Reading]) -> dict[str, Decimal]:
    """Returns what each flat pays, rounded to the cent.

    Cents lost in rounding are added to the first flat, so that the sum is exact.
    """
    if not flats:
        raise ValueError("no flats to share the bill")
    garden = main.used - sum(flat.used for flat in flats)
    if garden < 0:
        raise MeterError("the sub-meters show more than the main meter")
    total = (main.used * PRICE_PER_CUBIC_METRE + STANDING_CHARGE).quantize(CENT, ROUND_HALF_UP)
    shared = garden * PRICE_PER_CUBIC_METRE + STANDING_CHARGE
    shares = {
        flat.flat: (flat.used * PRICE_PER_CUBIC_METRE + shared / len(flats)).quantize(CENT, ROUND_HALF_UP)
        for flat in flats
    }
    first = flats[0].flat
    shares[first] += total - sum(shares.values())
    return shares


if __name__ == "__main__":
    bill = split_bill(
        Reading("main", 1204, 1391),
        [Reading("ground floor", 310, 362), Reading("first floor", 288, 359), Reading("attic", 97, 131)],
    )
    for name, amount in bill.items():
        print(f"{name:14} {amount:>8}")
