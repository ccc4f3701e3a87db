// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Totals} from "../../src/Totals.sol";

/// @title Each function of `Totals` changes its own field and no other
/// @notice Never deployed: `contracts/prove.mjs` proves every assertion for all arguments. Each `require` states a condition that
/// callers check.
contract TotalsProof {
    using Totals for uint256;

    function add(uint256 totals, uint256 amount) external pure {
        require(totals.credits() + totals.fees() + amount <= Totals.MAX_OWED);
        uint256 changed = totals.add(amount);
        assert(changed.credits() == totals.credits() + amount);
        assert(changed.fees() == totals.fees());
        assert(changed.pausedUntil() == totals.pausedUntil());
        assert(changed.filter() == totals.filter());
    }

    function charge(uint256 totals, uint256 charged, uint256 gasFee) external pure {
        require(totals.credits() + totals.fees() <= Totals.MAX_OWED);
        require(gasFee <= charged && charged <= totals.credits());
        uint256 changed = totals.charge(charged, gasFee);
        assert(changed.credits() == totals.credits() - charged);
        assert(changed.fees() == totals.fees() + gasFee);
        assert(changed.pausedUntil() == totals.pausedUntil());
        assert(changed.filter() == totals.filter());
    }

    function withoutFees(uint256 totals) external pure {
        uint256 changed = totals.withoutFees();
        assert(changed.credits() == totals.credits());
        assert(changed.fees() == 0);
        assert(changed.pausedUntil() == totals.pausedUntil());
        assert(changed.filter() == totals.filter());
    }

    function withPause(uint256 totals, uint40 until) external pure {
        uint256 changed = totals.withPause(until);
        assert(changed.credits() == totals.credits());
        assert(changed.fees() == totals.fees());
        assert(changed.pausedUntil() == until);
        assert(changed.filter() == totals.filter());
    }

    function withFilter(uint256 totals, uint256 bits) external pure {
        require(bits < 2 ** 56);
        uint256 changed = totals.withFilter(bits);
        assert(changed.credits() == totals.credits());
        assert(changed.fees() == totals.fees());
        assert(changed.pausedUntil() == totals.pausedUntil());
        assert(changed.filter() == bits);
    }
}
