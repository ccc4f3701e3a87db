// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {GasMeter} from "./mocks/GasMeter.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";

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
