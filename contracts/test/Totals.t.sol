// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Totals} from "../src/Totals.sol";
import {Test} from "./Test.sol";

contract TotalsTest is Test {
    uint256 private constant FIELD = 2 ** 80;

    function testFuzz_add(uint256 word, uint256 amount) public pure {
        word = _within(word);
        amount = bound(amount, 0, Totals.MAX_OWED - Totals.credits(word) - Totals.fees(word));
        _assertFields(
            Totals.add(word, amount),
            Totals.credits(word) + amount,
            Totals.fees(word),
            Totals.pausedUntil(word),
            Totals.filter(word)
        );
    }

    function testFuzz_charge(uint256 word, uint256 charged, uint256 gasFee) public pure {
        word = _within(word);
        charged = bound(charged, 0, Totals.credits(word));
        gasFee = bound(gasFee, 0, charged);
        uint256 result = Totals.charge(word, charged, gasFee);
        _assertFields(
            result,
            Totals.credits(word) - charged,
            Totals.fees(word) + gasFee,
            Totals.pausedUntil(word),
            Totals.filter(word)
        );
        vm.assertLe(Totals.credits(result) + Totals.fees(result), Totals.MAX_OWED);
    }

    function testFuzz_withoutFees(uint256 word) public pure {
        _assertFields(Totals.withoutFees(word), Totals.credits(word), 0, Totals.pausedUntil(word), Totals.filter(word));
    }

    function testFuzz_withPause(uint256 word, uint40 until) public pure {
        _assertFields(
            Totals.withPause(word, until), Totals.credits(word), Totals.fees(word), until, Totals.filter(word)
        );
    }

    function testFuzz_withFilter(uint256 word, uint56 bits) public pure {
        _assertFields(
            Totals.withFilter(word, bits), Totals.credits(word), Totals.fees(word), Totals.pausedUntil(word), bits
        );
    }

    function test_fieldsAtTheirBounds() public pure {
        _assertFields(0, 0, 0, 0, 0);
        _assertFields(type(uint256).max, FIELD - 1, FIELD - 1, type(uint40).max, type(uint56).max);
        _assertFields(FIELD - 1, FIELD - 1, 0, 0, 0);
        _assertFields(FIELD, 0, 1, 0, 0);
        _assertFields(FIELD ** 2, 0, 0, 1, 0);
        _assertFields(1 << 200, 0, 0, 0, 1);
    }

    /// @dev Returns a word in which the sum of credits and fees is at most the maximum that `_addCredits` allows.
    function _within(uint256 word) private pure returns (uint256) {
        uint256 fees = Totals.fees(word) % (FIELD - Totals.credits(word));
        return Totals.withoutFees(word) + fees * FIELD;
    }

    function _assertFields(uint256 word, uint256 credits, uint256 fees, uint256 pausedUntil, uint256 filter)
        private
        pure
    {
        vm.assertEq(Totals.credits(word), credits, "credits");
        vm.assertEq(Totals.fees(word), fees, "fees");
        vm.assertEq(Totals.pausedUntil(word), pausedUntil, "pausedUntil");
        vm.assertEq(Totals.filter(word), filter, "filter");
        // The word has no bits outside of the four fields.
        vm.assertEq(word, credits + (fees << 80) + (pausedUntil << 160) + (filter << 200), "whole word");
    }
}
