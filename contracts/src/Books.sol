// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "./ICredits.sol";
import {Totals} from "./Totals.sol";

/// @title Accounting: the credits of each wallet, the sum of all credits, and the fees
/// @dev Makes no external call, so that the SMTChecker can prove it (`test/proofs/BooksProof.sol`). The caller moves the USDC.
abstract contract Books {
    using Totals for uint256;

    /// @dev See `Totals`.
    uint256 internal _totals;
    mapping(bytes32 creditSeedHash => mapping(address wallet => uint256)) internal _credits;

    /// @dev Subtracts `charged` from the wallet's credits, and adds `gasFee` to the fees. The caller checks `gasFee <= charged`.
    function _charge(
        string calldata creditSeed,
        bytes32 creditSeedHash,
        address wallet,
        uint256 charged,
        uint256 gasFee
    ) internal {
        if (charged == 0) return;
        mapping(address wallet => uint256) storage credits = _credits[creditSeedHash];
        uint256 balance = credits[wallet];
        if (balance < charged) revert ICredits.InsufficientCredits(creditSeed, wallet, balance, charged);
        unchecked {
            credits[wallet] = balance - charged;
        }
        _totals = _totals.charge(charged, gasFee);
    }

    function _addCredits(bytes32 creditSeedHash, address wallet, uint256 amount) internal {
        uint256 totals = _totals;
        uint256 owed = totals.credits() + totals.fees() + amount;
        if (owed > Totals.MAX_OWED) revert ICredits.TooManyCredits(owed, Totals.MAX_OWED);
        _credits[creditSeedHash][wallet] += amount;
        _totals = totals.add(amount);
    }

    /// @dev Sets the fees to zero and returns them. The caller pays them out.
    function _takeFees() internal returns (uint256 amount) {
        amount = _totals.fees();
        _totals = _totals.withoutFees();
    }

    /// @dev Returns the sum of all credits and fees, which USDC must cover.
    function _owed() internal view returns (uint256) {
        uint256 totals = _totals;
        return totals.credits() + totals.fees();
    }
}
