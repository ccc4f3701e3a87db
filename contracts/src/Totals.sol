// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The storage word that every redeem reads and writes
/// @notice Bits 0 to 79: the sum of all credits. Bits 80 to 159: all fees. Bits 160 to 199: when the pause ends. Bits 200 to 255: a
/// filter of the deployment's own contracts.
/// @dev Uses `/` and `%`, which the compiler turns into shifts and masks, so that SMTChecker can prove it
/// (`test/proofs`).
library Totals {
    /// @dev Maximum of credits and fees together: 1.2 quintillion USD in raw units, far above the supply of USDC.
    uint256 internal constant MAX_OWED = 2 ** 80 - 1;

    uint256 private constant FEES = 2 ** 80;
    uint256 private constant PAUSE = 2 ** 160;
    uint256 private constant FILTER = 2 ** 200;

    function credits(uint256 totals) internal pure returns (uint256) {
        return totals % FEES;
    }

    function fees(uint256 totals) internal pure returns (uint256) {
        return (totals / FEES) % FEES;
    }

    function pausedUntil(uint256 totals) internal pure returns (uint256) {
        return (totals / PAUSE) % 2 ** 40;
    }

    function filter(uint256 totals) internal pure returns (uint256) {
        return totals / FILTER;
    }

    /// @dev Adds `amount` to the credits. The caller checks that credits and fees stay within `MAX_OWED`.
    function add(uint256 totals, uint256 amount) internal pure returns (uint256) {
        unchecked {
            return totals + amount;
        }
    }

    /// @dev Subtracts `charged` from the credits and adds `gasFee` to the fees. The caller checks `gasFee <= charged <= credits`.
    function charge(uint256 totals, uint256 charged, uint256 gasFee) internal pure returns (uint256) {
        unchecked {
            return totals - charged + gasFee * FEES;
        }
    }

    function withoutFees(uint256 totals) internal pure returns (uint256) {
        unchecked {
            return totals - fees(totals) * FEES;
        }
    }

    function withPause(uint256 totals, uint40 until) internal pure returns (uint256) {
        unchecked {
            return totals - pausedUntil(totals) * PAUSE + uint256(until) * PAUSE;
        }
    }

    /// @dev Replaces the filter with `bits`, which has at most 56 bits.
    function withFilter(uint256 totals, uint256 bits) internal pure returns (uint256) {
        unchecked {
            return totals % FILTER + bits * FILTER;
        }
    }
}
