// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "../src/IBridgeAdapter.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {IBridgeAdapterContract} from "./Deployed.sol";
import {GasMeter} from "./mocks/GasMeter.sol";
import {MockUsdc} from "./mocks/MockUsdc.sol";

/// @title Burns all the gas that it gets
contract GasEater {
    fallback() external payable {
        assembly {
            invalid()
        }
    }
}

/// @title Takes as much as its victim has approved
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

/// @title Lets a thief take the caller's change in the middle of an order
contract LeakyMerchant {
    MockUsdc private immutable usdc;
    Thief private immutable thief;

    constructor(MockUsdc usdc_, Thief thief_) {
        usdc = usdc_;
        thief = thief_;
    }

    function buy(uint256 price) external {
        usdc.transferFrom(msg.sender, address(this), price);
        // A seller that is notified of the sale.
        thief.steal(msg.sender);
    }
}

contract AttackBridgeTest is CreditsFixture {
    uint256 private constant SRC_CHAIN = 10;
    address private constant SRC_ADAPTER = address(0x50A5CE);

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

    function _delivery(address token, uint256 cost, address target, bytes memory data)
        private
        view
        returns (IBridgeAdapter.Delivery memory)
    {
        return IBridgeAdapter.Delivery({
            srcChainId: SRC_CHAIN,
            srcAdapter: SRC_ADAPTER,
            number: 1,
            customer: customer,
            nonce: bytes32(uint256(77)),
            amount: DOLLAR,
            token: token,
            cost: cost,
            target: target,
            data: data,
            minimumGas: CALL_GAS
        });
    }

    /// @dev "Never reverts because the call failed": also with a target that burns all its gas.
    function test_execute_survivesATargetThatEatsAllGas() public {
        GasEater eater = new GasEater();
        IBridgeAdapter.Delivery memory delivery = _delivery(address(usdc), 3 * DOLLAR, address(eater), hex"01020304");
        _executesWithModestGas(delivery);
        vm.assertEq(adapter.claimableOf(customer, address(usdc)), 3 * DOLLAR);
    }

    function test_execute_survivesATargetThatEatsAllGas_native() public {
        GasEater eater = new GasEater();
        IBridgeAdapter.Delivery memory delivery = _delivery(address(0), 3 ether, address(eater), hex"01020304");
        _executesWithModestGas(delivery);
        vm.assertEq(adapter.claimableOf(customer, address(0)), 3 ether);
    }

    /// @dev Every delivery that passes the gas check succeeds.
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

    /// @dev The largest minimum of an entry. Two calls deep, 1/64 of it is more than the fixed overhead covers.
    function test_execute_givesAllOfALargeMinimum() public {
        GasMeter meter = new GasMeter();
        IBridgeAdapter.Delivery memory delivery = _delivery(address(usdc), DOLLAR, address(meter), hex"01020304");
        delivery.minimumGas = 15_500_000;
        bytes memory data = abi.encodeCall(IBridgeAdapter.execute, (delivery));
        for (uint256 gasLimit = 15_700_000; gasLimit <= 17_500_000; gasLimit += 2000) {
            vm.prank(operator);
            (bool success,) = address(adapter).call{gas: gasLimit}(data);
            if (!success) continue;
            vm.assertGe(meter.given(), 15_500_000, "all of it");
            vm.assertLe(gasLimit, (1 << 24) - 300_000, "and room for the data, below EIP-7825's cap");
            return;
        }
        revert("never enough");
    }

    /// @dev With a stolen relayer key, calls without cost are not limited. A right that such a call makes the executor grant
    /// must not reach the money of later deliveries.
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
    function test_claimFor_signatureIsGoodOnceAndHere() public {
        GasEater eater = new GasEater();
        vm.prank(operator);
        adapter.execute{gas: 2_000_000}(_delivery(address(usdc), 3 * DOLLAR, address(eater), hex"01020304"));
        uint256 validBefore = block.timestamp + 1 hours;
        bytes32 digest = adapter.hashClaim(customer, address(usdc), receiver, validBefore);
        bytes memory signature = _signature(CUSTOMER_KEY, digest);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(CUSTOMER_KEY, digest);
        uint256 order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
        bytes memory turned = abi.encodePacked(r, order - uint256(s), v == 27 ? uint8(28) : uint8(27));
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
