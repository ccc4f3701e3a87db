// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";
import {GasMeter} from "./mocks/OddMerchants.sol";

contract BatchTest is CreditsFixture {
    uint256 private constant ITEM_GAS = 400_000;

    HostileMerchant private hostile;

    function setUp() public override {
        super.setUp();
        hostile = new HostileMerchant(address(usdc));
        _allow(address(hostile));
    }

    function _requests(uint256 count) private pure returns (ICredits.RedeemRequest[] memory) {
        return new ICredits.RedeemRequest[](count);
    }

    function test_batch() public {
        ICredits.RedeemRequest[] memory requests = _requests(3);
        requests[0] = _signed(_token(receiver), DOLLAR, 0, 10_000, ICredits.UsdcMethod.None);
        requests[1] = _signed(_safeMint(16, DOLLAR), DOLLAR);
        requests[2] = _signed(_safeMint(1, DOLLAR), DOLLAR);
        uint256[] memory gasLimits = _limits(3);
        gasLimits[1] = 3_000_000;
        vm.prank(operator);
        ICredits.BatchResult[] memory results = credits.redeemBatch(_encoded(requests), gasLimits);
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertTrue(results[i].success);
            vm.assertEq(results[i].reason.length, 0);
        }
        vm.assertEq(mint721.balanceOf(customer), 17);
        vm.assertEq(credits.feesOwed(), 10_000);
        vm.assertEq(credits.surplus(), 0);
    }

    function test_batch_isolatesFailures() public {
        ICredits.RedeemRequest[] memory requests = _requests(6);
        requests[0] = _signed(_token(receiver), DOLLAR);
        requests[1] = _attack(abi.encodeCall(HostileMerchant.eatGas, ()));
        requests[2] = _attack(abi.encodeCall(HostileMerchant.revertBomb, (100_000)));
        requests[3] = requests[0];
        requests[4] = _signed(_token(address(0)), DOLLAR);
        requests[5] = _signed(_token(receiver), DOLLAR);
        vm.prank(operator);
        vm.recordLogs();
        ICredits.BatchResult[] memory results = credits.redeemBatch(_encoded(requests), _limits(6));
        vm.assertTrue(results[0].success && results[5].success);
        for (uint256 i = 1; i < 5; ++i) {
            assertFalse(results[i].success);
        }
        vm.assertEq(results[2].reason.length, 256, "cut");
        vm.assertEq(results[3].reason, _orderUsed(customer, requests[0].permit.nonce, ICredits.OrderState.Redeemed));
        vm.assertEq(results[4].reason, abi.encodeWithSelector(ICredits.ZeroAddress.selector, "destination"));
        vm.assertEq(usdc.balanceOf(receiver), 2 * DOLLAR);
        vm.assertEq(uint256(_stateOf(requests[1])), uint256(ICredits.OrderState.Unused));
        vm.assertEq(_customerCredits(), 998 * DOLLAR);
        vm.assertEq(uint256(_stateOf(requests[2])), uint256(ICredits.OrderState.Unused));
    }

    function test_batch_isolatesMalformedItems() public {
        bytes memory good = abi.encode(_signed(_token(receiver), DOLLAR));
        bytes[] memory items = new bytes[](8);
        items[0] = "";
        items[1] = hex"00";
        items[2] = new bytes(32);
        items[3] = bytes.concat(bytes32(uint256(32)), bytes32(type(uint256).max));
        items[4] = abi.encode(_signed(_token(receiver), DOLLAR));
        // The offset of the permit points beyond the data.
        items[4][32] = 0xff;
        items[5] = abi.encode(_signed(_token(receiver), DOLLAR));
        // A kind that does not exist. The settlement's offset is the sixth word of the request.
        uint256 settlement = uint8(items[5][32 + 4 * 32 + 31]) + uint256(uint8(items[5][32 + 4 * 32 + 30])) * 256;
        items[5][32 + settlement + 31] = 0x06;
        items[6] = abi.encodePacked(good, "longer");
        items[7] = abi.encode(_signed(_token(receiver), DOLLAR));
        vm.prank(operator);
        ICredits.BatchResult[] memory results = credits.redeemBatch(items, _limits(8));
        for (uint256 i = 0; i < 6; ++i) {
            assertFalse(results[i].success);
        }
        vm.assertTrue(results[6].success && results[7].success);
        vm.assertEq(usdc.balanceOf(receiver), 2 * DOLLAR);
    }

    function test_batch_emitsFailures() public {
        ICredits.RedeemRequest[] memory requests = _requests(1);
        requests[0] = _signed(_token(address(0)), DOLLAR);
        vm.prank(operator);
        vm.expectEmit(address(credits));
        emit ICredits.BatchItemFailed(0, abi.encodeWithSelector(ICredits.ZeroAddress.selector, "destination"));
        credits.redeemBatch(_encoded(requests), _limits(1));
    }

    /// @dev An item has the rights of the batch's sender, not the contract's own.
    function test_batch_byStranger() public {
        ICredits.RedeemRequest[] memory requests = _requests(2);
        requests[0] = _signed(_token(receiver), DOLLAR, 0, 1, ICredits.UsdcMethod.None);
        requests[1] = _signed(_token(receiver), DOLLAR);
        vm.prank(stranger);
        ICredits.BatchResult[] memory results = credits.redeemBatch(_encoded(requests), _limits(2));
        vm.assertEq(results[0].reason, abi.encodeWithSelector(ICredits.GasFeeNotAllowed.selector, stranger, 1));
        vm.assertTrue(results[1].success);
    }

    function test_batch_empty() public {
        vm.prank(operator);
        vm.assertEq(credits.redeemBatch(new bytes[](0), _limits(0)).length, 0);
    }

    function test_batch_revertsWhenLengthsDiffer() public {
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ICredits.BatchLengthMismatch.selector, 1, 2));
        credits.redeemBatch(new bytes[](1), _limits(2));
    }

    function test_batch_revertsWhenPaused() public {
        vm.prank(admin);
        credits.pause();
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSignature("EnforcedPause()"));
        credits.redeemBatch(new bytes[](1), _limits(1));
    }

    /// @dev If an item's gas limit is not available, the whole batch reverts.
    function test_batch_revertsWhenGasIsShort() public {
        ICredits.RedeemRequest[] memory requests = _requests(2);
        requests[0] = _signed(_token(receiver), DOLLAR);
        requests[1] = _signed(_token(receiver), DOLLAR);
        vm.prank(operator);
        vm.expectPartialRevert(ICredits.InsufficientGas.selector);
        credits.redeemBatch{gas: ITEM_GAS}(_encoded(requests), _limits(2));
        vm.prank(operator);
        credits.redeemBatch{gas: 3 * ITEM_GAS}(_encoded(requests), _limits(2));
    }

    /// @dev With the smallest gas limit that a batch accepts, the item still gets all of its 400,000 gas.
    function test_batch_givesAllOfTheLimit() public {
        GasMeter meter = new GasMeter();
        // Less than the item's limit, because the item spends gas before the merchant's call.
        _whitelist(block.chainid, address(meter), 0, true, true, 300_000);
        bytes[] memory items = new bytes[](1);
        items[0] = abi.encode(_signed(_call(ICredits.Kind.Normal, address(meter), hex"01020304"), DOLLAR));
        uint256[] memory gasLimits = _limits(1);
        uint256 ample = _given(items, gasLimits, 3_000_000, meter);
        for (uint256 gasLimit = 400_000; gasLimit < 600_000; gasLimit += 20) {
            uint256 given = _given(items, gasLimits, gasLimit, meter);
            if (given == 0) continue;
            vm.assertGe(given, ample - 100, "as much as with ample gas");
            vm.assertLe(gasLimit, 460_000, "the batch needs little more gas than the item");
            return;
        }
        revert("never enough");
    }

    function _given(bytes[] memory items, uint256[] memory gasLimits, uint256 gasLimit, GasMeter meter)
        private
        returns (uint256 given)
    {
        uint256 snapshot = vm.snapshotState();
        vm.prank(operator);
        (bool success,) = address(credits).call{gas: gasLimit}(abi.encodeCall(ICredits.redeemBatch, (items, gasLimits)));
        given = success ? meter.given() : 0;
        vm.revertToState(snapshot);
    }

    function test_batch_givesEachItemItsLimit() public {
        ICredits.RedeemRequest[] memory requests = _requests(2);
        requests[0] = _signed(_token(receiver), DOLLAR);
        requests[1] = _signed(_token(receiver), DOLLAR);
        uint256[] memory gasLimits = _limits(2);
        gasLimits[0] = 30_000;
        vm.prank(operator);
        ICredits.BatchResult[] memory results = credits.redeemBatch(_encoded(requests), gasLimits);
        assertFalse(results[0].success);
        vm.assertTrue(results[1].success);
    }

    function test_redeemItem_revertsWhenNotSelf() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ICredits.OnlySelf.selector, operator));
        credits.redeemItem(operator, request);
    }

    function _attack(bytes memory data) private returns (ICredits.RedeemRequest memory) {
        return _signed(_call(ICredits.Kind.Normal, address(hostile), data), DOLLAR);
    }
}

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
