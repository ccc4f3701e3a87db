// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "../src/IBridgeAdapter.sol";
import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";

/// @dev The bridge adapter's getters and events, and that no administration runs inside of a delivery.
contract BridgeAdministrationTest is CreditsFixture {
    uint256 private constant SRC_CHAIN = 10;
    address private constant SRC_ADAPTER = address(0x50A5CE);

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

    function test_settings_areTold() public {
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

    /// @dev A day ends at midnight UTC, not 24 hours after the first delivery.
    function test_dailyLimit_isAnewAtMidnight() public {
        vm.warp(NOW / 1 days * 1 days + 1 days - 1);
        _execute(_delivery(50 * DOLLAR, address(0), ""));
        vm.assertEq(adapter.remainingToday(address(usdc)), 0);
        vm.warp(block.timestamp + 1);
        vm.assertEq(adapter.remainingToday(address(usdc)), 50 * DOLLAR);
        vm.warp(block.timestamp + 1 days - 1);
        _execute(_delivery(10 * DOLLAR, address(0), ""));
        vm.assertEq(adapter.remainingToday(address(usdc)), 40 * DOLLAR);
        vm.prank(admin);
        adapter.setDailyLimit(address(usdc), DOLLAR);
        vm.assertEq(adapter.remainingToday(address(usdc)), 0);
    }

    /// @dev The answer of a successful call is not a failure reason.
    function test_execute_tellsNoReasonOfASuccess() public {
        bytes memory data = abi.encodeCall(HostileMerchant.mintAndReturn, (0, 5));
        IBridgeAdapter.Delivery memory delivery = _delivery(DOLLAR, address(merchant), data);
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.BridgeExecuted(adapter.idOf(delivery), customer, true, DOLLAR, "");
        _execute(delivery);
    }

    /// @dev Not even the gas for the code around the call is available.
    function test_execute_revertsWhenGasIsVeryShort() public {
        IBridgeAdapter.Delivery memory delivery = _delivery(DOLLAR, address(merchant), "");
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IBridgeAdapter.InsufficientGas.selector, 0, CALL_GAS));
        adapter.execute{gas: 200_000}(delivery);
    }

    function test_execute_refusesToBeReentered() public {
        bytes memory inner = abi.encodeCall(IBridgeAdapter.execute, (_delivery(DOLLAR, address(0), "")));
        _refusesInside(address(adapter), inner);
    }

    function test_withdraw_isRefusedInsideOfADelivery() public {
        _refusesInside(address(adapter), abi.encodeCall(IBridgeAdapter.withdraw, (address(usdc), stranger, 1)));
    }

    function test_claim_isRefusedInsideOfADelivery() public {
        IBridgeAdapter.Delivery memory failed = _delivery(DOLLAR, address(0), "");
        failed.customer = address(merchant);
        _execute(failed);
        vm.assertEq(adapter.claimableOf(address(merchant), address(usdc)), DOLLAR);
        _refusesInside(address(adapter), abi.encodeCall(IBridgeAdapter.claim, (address(usdc), stranger)));
    }

    function test_claimFor_isRefusedInsideOfADelivery() public {
        _execute(_delivery(DOLLAR, address(0), ""));
        uint256 validBefore = block.timestamp + 1;
        bytes32 digest = adapter.hashClaim(customer, address(usdc), receiver, validBefore);
        bytes memory signature = _signature(CUSTOMER_KEY, digest);
        _refusesInside(
            address(adapter),
            abi.encodeCall(IBridgeAdapter.claimFor, (customer, address(usdc), receiver, validBefore, signature))
        );
    }

    /// @dev Tokens of a request that is paid in the middle of a delivery would look like change of the delivery.
    function test_bridge_isRefusedInsideOfADelivery() public {
        ICredits.RedeemRequest memory request = _signed(_decent(DOLLAR), DOLLAR);
        _refusesInside(address(credits), abi.encodeCall(ICredits.redeem, (request)));
    }

    function test_claimFor_answersWhatWasPaid() public {
        _execute(_delivery(DOLLAR, address(0), ""));
        uint256 validBefore = block.timestamp + 1;
        bytes32 digest = adapter.hashClaim(customer, address(usdc), receiver, validBefore);
        bytes memory signature = _signature(CUSTOMER_KEY, digest);
        vm.assertEq(adapter.claimFor(customer, address(usdc), receiver, validBefore, signature), DOLLAR);
    }

    function test_claim_answersWhatWasPaid() public {
        _execute(_delivery(DOLLAR, address(0), ""));
        vm.prank(customer);
        vm.assertEq(adapter.claim(address(usdc), receiver), DOLLAR);
    }

    /// @dev The same call succeeds at any other time.
    function _refusesInside(address target, bytes memory call) private {
        bytes memory data = abi.encodeCall(HostileMerchant.tryCall, (0, target, call));
        vm.assertTrue(_execute(_delivery(DOLLAR, address(merchant), data)));
        assertFalse(merchant.lastSucceeded());
        vm.prank(address(merchant));
        (bool success,) = target.call(call);
        vm.assertTrue(success, "the call itself is good");
    }

    /// @dev The claim of an address without code stays open.
    function _delivery(uint256 cost, address target, bytes memory data)
        private
        returns (IBridgeAdapter.Delivery memory)
    {
        return IBridgeAdapter.Delivery({
            srcChainId: SRC_CHAIN,
            srcAdapter: SRC_ADAPTER,
            number: ++number,
            customer: customer,
            nonce: 0,
            amount: cost,
            token: address(usdc),
            cost: cost,
            target: target,
            data: data,
            minimumGas: CALL_GAS
        });
    }

    function _execute(IBridgeAdapter.Delivery memory delivery) private returns (bool) {
        vm.prank(operator);
        return adapter.execute(delivery);
    }
}
