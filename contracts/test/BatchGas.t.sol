// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";

/// @title A batch reserves enough gas, and reserves the documented amount
/// @dev The documented amount: 1/64, 2,000 for the call, 20,000 to record a failure, and 2,048 for each item's part of the result.
contract BatchGasTest is CreditsFixture {
    uint256 private constant LONGEST_REASON = 256;
    uint256 private constant ITEM_GAS = 400_000;
    uint256 private constant AMPLE = 10_000_000;

    // The reserve is enough, even if every item burns all its gas and returns the longest reason

    function test_batch_notesAnItemWithTheLeastGas() public {
        _assertNoted(1, _loud());
    }

    function test_batch_notesManyItemsWithTheLeastGas() public {
        _assertNoted(20, _loud());
        _assertNoted(40, _loud());
    }

    /// @dev The cost of memory grows with its size. After these long items, the result costs more than 1,024 gas per item.
    function test_batch_notesManyLongItemsWithTheLeastGas() public {
        _assertNoted(40, bytes.concat(_loud(), new bytes(19_000)));
    }

    // The documented amount

    function test_batch_keepsBackWhatItSays() public {
        _assertKeptBack(1);
        _assertKeptBack(20);
        _assertKeptBack(40);
    }

    function test_batch_revertsWhenGasIsOneHundredShort() public {
        (bytes[] memory items, uint256[] memory gasLimits) = _copies(1, _eater(), ITEM_GAS);
        bytes memory data = abi.encodeCall(ICredits.redeemBatch, (items, gasLimits));
        uint256 least = _leastGas(data, ITEM_GAS);
        (bool success, bytes memory answer) = _send(data, least - 100);
        assertFalse(success);
        vm.assertLe(vm.lastCallGas().gasTotalUsed, 50_000, "refused before the item runs");
        vm.assertEq(bytes32(bytes4(answer)), bytes32(ICredits.InsufficientGas.selector));
        vm.assertEq(_word(answer, 1), ITEM_GAS);
        vm.assertLe(_word(answer, 0), ITEM_GAS - 1);
        vm.assertGe(_word(answer, 0), ITEM_GAS - 100, "the item gets its gas limit less at most 100");
        (success, answer) = _send(data, least);
        vm.assertTrue(success);
        vm.assertGe(vm.lastCallGas().gasTotalUsed, ITEM_GAS, "the item had its gas");
    }

    /// @dev With the least gas that the batch accepts, the batch records and returns all failures.
    function _assertNoted(uint256 count, bytes memory item) private {
        (bytes[] memory items, uint256[] memory gasLimits) = _copies(count, item, _leastLimit(item));
        bytes memory data = abi.encodeCall(ICredits.redeemBatch, (items, gasLimits));
        uint256 least = _leastGas(data, count * gasLimits[0]);
        vm.recordLogs();
        (bool success, bytes memory answer) = _send(data, least);
        vm.assertTrue(success, string.concat("fails with ", vm.toString(count), " items"));
        vm.assertEq(vm.getRecordedLogs().length, count);
        ICredits.BatchResult[] memory results = abi.decode(answer, (ICredits.BatchResult[]));
        vm.assertEq(results.length, count);
        for (uint256 i = 0; i < count; ++i) {
            assertFalse(results[i].success);
            vm.assertEq(results[i].reason.length, LONGEST_REASON);
        }
        (success, answer) = _send(data, least - 1);
        vm.assertEq(answer, abi.encodeWithSelector(ICredits.InsufficientGas.selector, gasLimits[0] - 1, gasLimits[0]));
    }

    /// @dev Compares the gas that the first item's check considered available with the gas left at that moment.
    function _assertKeptBack(uint256 count) private {
        (bytes[] memory items, uint256[] memory gasLimits) = _copies(count, "", type(uint256).max);
        (, bytes memory answer) = _send(abi.encodeCall(ICredits.redeemBatch, (items, gasLimits)), AMPLE);
        vm.assertEq(bytes32(bytes4(answer)), bytes32(ICredits.InsufficientGas.selector));
        uint256 left = AMPLE - vm.lastCallGas().gasTotalUsed;
        uint256 available = left - left / 64 - 2000 - 20_000 - 2048 * count;
        vm.assertGe(_word(answer, 0), available, string.concat("keeps more for ", vm.toString(count)));
        // The revert itself costs some gas.
        vm.assertLe(_word(answer, 0), available + 1000, string.concat("keeps less for ", vm.toString(count)));
    }

    // Items

    /// @dev Returns an item that fails early, with a reason that contains a seed of 300 bytes.
    function _loud() private returns (bytes memory) {
        ICredits.RedeemRequest memory request = _request(_token(receiver), DOLLAR, 0, 0);
        request.permit.creditSeed = string(new bytes(300));
        request.permit.nonce = bytes32(uint256(1));
        return abi.encode(request);
    }

    function _eater() private returns (bytes memory) {
        HostileMerchant hostile = new HostileMerchant(address(usdc));
        _allow(address(hostile));
        bytes memory call = abi.encodeCall(HostileMerchant.eatGas, ());
        return abi.encode(_signed(_call(ICredits.Kind.Normal, address(hostile), call), DOLLAR));
    }

    function _copies(uint256 count, bytes memory item, uint256 gasLimit)
        private
        pure
        returns (bytes[] memory items, uint256[] memory gasLimits)
    {
        items = new bytes[](count);
        gasLimits = new uint256[](count);
        for (uint256 i = 0; i < count; ++i) {
            (items[i], gasLimits[i]) = (item, gasLimit);
        }
    }

    /// @dev The batch also keeps its reserve for items with a gas limit of 0. Otherwise, it could run out of gas at its end.
    function test_batch_revertsWhenAnItemWithoutGasLeavesNoReserve() public {
        bytes[] memory items = new bytes[](20);
        uint256[] memory gasLimits = new uint256[](20);
        (items[0], gasLimits[0]) = (_eater(), ITEM_GAS);
        bytes memory data = abi.encodeCall(ICredits.redeemBatch, (items, gasLimits));
        uint256 least = _leastGas(data, 0);
        (bool success, bytes memory answer) = _send(data, least);
        vm.assertTrue(success);
        vm.assertEq(abi.decode(answer, (ICredits.BatchResult[])).length, 20);
        (success, answer) = _send(data, least - 1);
        assertFalse(success);
        vm.assertEq(bytes32(bytes4(answer)), bytes32(ICredits.InsufficientGas.selector));
    }

    // Gas

    /// @dev Returns the smallest gas limit with which the item still returns its reason.
    function _leastLimit(bytes memory item) private returns (uint256 enough) {
        uint256 short = 0;
        enough = 100_000;
        while (enough - short > 1) {
            uint256 limit = (short + enough) / 2;
            (bytes[] memory items, uint256[] memory gasLimits) = _copies(1, item, limit);
            vm.prank(operator);
            if (credits.redeemBatch(items, gasLimits)[0].reason.length == LONGEST_REASON) enough = limit;
            else short = limit;
        }
    }

    /// @dev Returns the least gas with which a batch does not revert.
    /// @param refused an amount of gas with which the batch reverts
    function _leastGas(bytes memory data, uint256 refused) private returns (uint256 enough) {
        enough = AMPLE;
        while (enough - refused > 1) {
            uint256 gasLimit = (refused + enough) / 2;
            (bool success, bytes memory answer) = _send(data, gasLimit);
            if (!success && bytes4(answer) == ICredits.InsufficientGas.selector) refused = gasLimit;
            else enough = gasLimit;
        }
    }

    function _send(bytes memory data, uint256 gasLimit) private returns (bool success, bytes memory answer) {
        vm.prank(operator);
        (success, answer) = address(credits).call{gas: gasLimit}(data);
    }

    /// @dev Returns one of the words after the selector.
    function _word(bytes memory answer, uint256 index) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(add(answer, 0x24), mul(index, 0x20)))
        }
    }
}
