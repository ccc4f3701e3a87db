// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "../src/IBridgeAdapter.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {IBridgeAdapterContract} from "./Deployed.sol";
import {GasMeter} from "./mocks/GasMeter.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";
import {MockUsdc} from "./mocks/MockUsdc.sol";

/// @title Takes all USDC of an account that has approved it
contract Thief {
    MockUsdc private immutable usdc;

    constructor(MockUsdc usdc_) {
        usdc = usdc_;
    }

    fallback() external {
        usdc.transferFrom(msg.sender, address(this), usdc.balanceOf(msg.sender));
    }

    function steal(address from) external {
        usdc.transferFrom(from, address(this), usdc.balanceOf(from));
    }
}

/// @title Calls a thief in the middle of an order, while the caller still holds its change
contract LeakyMerchant {
    MockUsdc private immutable usdc;
    Thief private immutable thief;

    constructor(MockUsdc usdc_, Thief thief_) {
        usdc = usdc_;
        thief = thief_;
    }

    function buy(uint256 price) external {
        usdc.transferFrom(msg.sender, address(this), price);
        // Notifies the seller of the sale.
        thief.steal(msg.sender);
    }
}

contract AttackBridgeTest is CreditsFixture {
    bytes private constant EAT_GAS = abi.encodeCall(HostileMerchant.eatGas, ());

    function setUp() public override {
        super.setUp();
        _openRoute();
        _fund(address(adapter), 100 * DOLLAR);
        vm.deal(address(adapter), 100 ether);
        vm.startPrank(admin);
        adapter.setSource(SRC_CHAIN, SRC_ADAPTER, true);
        adapter.setDailyLimit(address(usdc), 100 * DOLLAR);
        adapter.setDailyLimit(address(0), 100 ether);
        vm.stopPrank();
    }

    /// @dev If a target burns all its gas, the execution does not revert.
    function test_execute_survivesATargetThatEatsAllGas() public {
        HostileMerchant eater = new HostileMerchant(address(usdc));
        IBridgeAdapter.Delivery memory delivery = _delivery(address(usdc), 3 * DOLLAR, address(eater), EAT_GAS);
        _executesWithModestGas(delivery);
        vm.assertEq(adapter.claimableOf(customer, address(usdc)), 3 * DOLLAR);
    }

    function test_execute_survivesATargetThatEatsAllGas_native() public {
        HostileMerchant eater = new HostileMerchant(address(usdc));
        IBridgeAdapter.Delivery memory delivery = _delivery(address(0), 3 ether, address(eater), EAT_GAS);
        _executesWithModestGas(delivery);
        vm.assertEq(adapter.claimableOf(customer, address(0)), 3 ether);
    }

    /// @dev With any gas limit, either the execution succeeds or the gas check rejects it.
    function _executesWithModestGas(IBridgeAdapter.Delivery memory delivery) private {
        bytes memory data = abi.encodeCall(IBridgeAdapter.execute, (delivery));
        for (uint256 gasLimit = 200_000; gasLimit <= 1_200_000; gasLimit += 10_000) {
            vm.prank(operator);
            (bool success, bytes memory answer) = address(adapter).call{gas: gasLimit}(data);
            if (success) return;
            vm.assertEq(
                bytes32(bytes4(answer)), bytes32(IBridgeAdapter.InsufficientGas.selector), vm.toString(gasLimit)
            );
        }
        revert("never enough");
    }

    /// @dev With the largest minimum gas of an entry, each of the two nested calls keeps 1/64, which exceeds the fixed overhead.
    function test_execute_givesAllOfALargeMinimum() public {
        GasMeter meter = new GasMeter();
        IBridgeAdapter.Delivery memory delivery = _delivery(address(usdc), DOLLAR, address(meter), hex"01020304");
        delivery.minimumGas = 15_500_000;
        bytes memory data = abi.encodeCall(IBridgeAdapter.execute, (delivery));
        for (uint256 gasLimit = 15_700_000; gasLimit <= 17_500_000; gasLimit += 2000) {
            vm.prank(operator);
            (bool success,) = address(adapter).call{gas: gasLimit}(data);
            if (!success) continue;
            vm.assertGe(meter.given(), 15_500_000, "the call gets the full minimum gas");
            vm.assertLe(gasLimit, (1 << 24) - 300_000, "the cap of EIP-7825 leaves room for the data");
            return;
        }
        revert("never enough");
    }

    /// @dev A thief with a relayer's key can make the executor call anything at no cost. An approval that the executor
    /// gives in such a call must not give access to the money of later deliveries.
    function test_execute_givesNoRightsAway() public {
        Thief thief = new Thief(usdc);
        IBridgeAdapter.Delivery memory approval = _delivery(
            address(0), 0, address(usdc), abi.encodeCall(MockUsdc.approve, (address(thief), type(uint256).max))
        );
        vm.prank(operator);
        adapter.execute(approval);

        LeakyMerchant merchant = new LeakyMerchant(usdc, thief);
        IBridgeAdapter.Delivery memory delivery =
            _delivery(address(usdc), 3 * DOLLAR, address(merchant), abi.encodeCall(LeakyMerchant.buy, (DOLLAR)));
        delivery.number = 2;
        vm.prank(operator);
        try adapter.execute(delivery) {} catch {}
        vm.assertEq(usdc.balanceOf(address(thief)), 0, "change of the customer");
    }

    /// @dev A claim signature is valid for one adapter on one chain, and cannot be altered into a second valid one.
    function test_claimFor_signatureIsValidOnceAndOnlyHere() public {
        HostileMerchant eater = new HostileMerchant(address(usdc));
        vm.prank(operator);
        adapter.execute{gas: 2_000_000}(_delivery(address(usdc), 3 * DOLLAR, address(eater), EAT_GAS));
        uint256 validBefore = block.timestamp + 1 hours;
        bytes32 digest = adapter.hashClaim(customer, address(usdc), receiver, validBefore);
        bytes memory signature = _signature(CUSTOMER_KEY, digest);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(CUSTOMER_KEY, digest);
        bytes memory turned = abi.encodePacked(r, CURVE_ORDER - uint256(s), v == 27 ? uint8(28) : uint8(27));
        vm.expectRevert(abi.encodeWithSelector(IBridgeAdapter.InvalidClaimSignature.selector, customer, digest));
        adapter.claimFor(customer, address(usdc), receiver, validBefore, turned);

        IBridgeAdapterContract other = _newAdapter(address(credits), address(usdc));
        vm.expectPartialRevert(IBridgeAdapter.InvalidClaimSignature.selector);
        other.claimFor(customer, address(usdc), receiver, validBefore, signature);
        vm.chainId(1);
        vm.expectPartialRevert(IBridgeAdapter.InvalidClaimSignature.selector);
        adapter.claimFor(customer, address(usdc), receiver, validBefore, signature);
        vm.chainId(8453);
        vm.assertEq(adapter.claimFor(customer, address(usdc), receiver, validBefore, signature), 3 * DOLLAR);
        vm.expectPartialRevert(IBridgeAdapter.InvalidClaimSignature.selector);
        adapter.claimFor(customer, address(usdc), receiver, validBefore, signature);
    }
}
