// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "../src/IBridgeAdapter.sol";
import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";

/// @dev Tests getters and events of the bridge adapter, and the calls that it refuses during a delivery.
contract BridgeAdministrationTest is CreditsFixture {
    HostileMerchant private merchant;
    uint256 private number;

    function setUp() public override {
        super.setUp();
        _openRoute();
        merchant = new HostileMerchant(address(usdc));
        _fund(address(adapter), 100 * DOLLAR);
        vm.startPrank(admin);
        adapter.setSource(SRC_CHAIN, SRC_ADAPTER, true);
        adapter.setDailyLimit(address(usdc), 50 * DOLLAR);
        adapter.grantRole(adapter.RELAYER_ROLE(), address(merchant));
        adapter.grantRole(adapter.TREASURER_ROLE(), address(merchant));
        vm.stopPrank();
    }

    function test_settings_areEmittedAndRead() public {
        vm.startPrank(admin);
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.RouteSet(7, address(usdc), 8);
        adapter.setRoute(7, address(usdc), 8);
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.SourceSet(7, stranger, true);
        adapter.setSource(7, stranger, true);
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.DailyLimitSet(address(usdc), 9 * DOLLAR);
        adapter.setDailyLimit(address(usdc), 9 * DOLLAR);
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.LiquidityWithdrawn(address(usdc), receiver, 1);
        adapter.withdraw(address(usdc), receiver, 1);
        vm.stopPrank();
        vm.assertEq(adapter.routeOf(7, address(usdc)), 8);
        vm.assertEq(adapter.dailyLimitOf(address(usdc)), 9 * DOLLAR);
        vm.assertTrue(adapter.isSource(7, stranger));
        assertFalse(adapter.isSource(8, stranger));
        vm.prank(admin);
        adapter.setSource(7, stranger, false);
        assertFalse(adapter.isSource(7, stranger));
        IBridgeAdapter.Delivery memory delivery = _delivery(1, address(0), "");
        assertFalse(adapter.executed(adapter.idOf(delivery)));
        _execute(delivery);
        vm.assertTrue(adapter.executed(adapter.idOf(delivery)));
    }

    /// @dev The event of a successful call contains no reason, even if the call returned data.
    function test_execute_emitsNoReasonAfterASuccess() public {
        bytes memory data = abi.encodeCall(HostileMerchant.mintAndReturn, (0, 5));
        IBridgeAdapter.Delivery memory delivery = _delivery(DOLLAR, address(merchant), data);
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.BridgeExecuted(adapter.idOf(delivery), customer, true, DOLLAR, "");
        _execute(delivery);
    }

    /// @dev The gas is less than the code around the call needs.
    function test_execute_revertsWhenGasIsVeryShort() public {
        IBridgeAdapter.Delivery memory delivery = _delivery(DOLLAR, address(merchant), "");
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IBridgeAdapter.InsufficientGas.selector, 0, CALL_GAS));
        adapter.execute{gas: 200_000}(delivery);
    }

    function test_execute_refusesToBeReentered() public {
        bytes memory inner = abi.encodeCall(IBridgeAdapter.execute, (_delivery(DOLLAR, address(0), "")));
        _refusesDuringADelivery(address(adapter), inner);
    }

    function test_withdraw_isRefusedDuringADelivery() public {
        _refusesDuringADelivery(address(adapter), abi.encodeCall(IBridgeAdapter.withdraw, (address(usdc), stranger, 1)));
    }

    function test_claim_isRefusedDuringADelivery() public {
        IBridgeAdapter.Delivery memory failed = _delivery(DOLLAR, address(0), "");
        failed.customer = address(merchant);
        _execute(failed);
        vm.assertEq(adapter.claimableOf(address(merchant), address(usdc)), DOLLAR);
        _refusesDuringADelivery(address(adapter), abi.encodeCall(IBridgeAdapter.claim, (address(usdc), stranger)));
    }

    function test_claimFor_isRefusedDuringADelivery() public {
        _execute(_delivery(DOLLAR, address(0), ""));
        uint256 validBefore = block.timestamp + 1;
        bytes32 digest = adapter.hashClaim(customer, address(usdc), receiver, validBefore);
        bytes memory signature = _signature(CUSTOMER_KEY, digest);
        _refusesDuringADelivery(
            address(adapter),
            abi.encodeCall(IBridgeAdapter.claimFor, (customer, address(usdc), receiver, validBefore, signature))
        );
    }

    /// @dev If a redeem paid USDC to the adapter during a delivery, that USDC would count as change of the delivery.
    function test_bridge_isRefusedDuringADelivery() public {
        ICredits.RedeemRequest memory request = _signed(_decent(DOLLAR), DOLLAR);
        _refusesDuringADelivery(address(credits), abi.encodeCall(ICredits.redeem, (request)));
    }

    /// @dev The adapter refuses the call during a delivery, and accepts it afterwards.
    function _refusesDuringADelivery(address target, bytes memory call) private {
        bytes memory data = abi.encodeCall(HostileMerchant.tryCall, (0, target, call));
        vm.assertTrue(_execute(_delivery(DOLLAR, address(merchant), data)));
        assertFalse(merchant.lastSucceeded());
        vm.prank(address(merchant));
        (bool success,) = target.call(call);
        vm.assertTrue(success, "accepted after the delivery");
    }

    /// @dev A delivery to a target without code fails, and its cost stays claimable.
    function _delivery(uint256 cost, address target, bytes memory data)
        private
        returns (IBridgeAdapter.Delivery memory delivery)
    {
        delivery = _delivery(address(usdc), cost, target, data);
        delivery.number = ++number;
    }

    function _execute(IBridgeAdapter.Delivery memory delivery) private returns (bool) {
        vm.prank(operator);
        return adapter.execute(delivery);
    }
}
