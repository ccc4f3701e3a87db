// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "../src/IBridgeAdapter.sol";
import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {IBridgeAdapterContract} from "./Deployed.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";
import {MockUsdc} from "./mocks/MockUsdc.sol";
import {GasMeter} from "./mocks/OddMerchants.sol";

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

contract AttackCreditsTest is CreditsFixture {
    // Batches

    /// @dev An item with changed bytes executes either the redeem that the customer signed, or nothing.
    function testFuzz_batch_brokenItemIsTheRedeemOrNothing(uint256 position, uint256 word, uint256 cut) public {
        bytes memory item = abi.encode(_signed(_normal(3 * DOLLAR), 5 * DOLLAR));
        uint256 words = item.length / 32;
        position = bound(position, 0, words - 1);
        if (cut % 4 == 0) word = bound(word, 0, item.length + 64);
        if (cut % 4 == 1) word = type(uint256).max - bound(word, 0, item.length + 64);
        if (cut % 4 == 2) word = uint256(_wordAt(item, position)) | (1 << (128 + word % 128));
        bytes32 before = _wordAt(item, position);
        assembly ("memory-safe") {
            mstore(add(add(item, 0x20), mul(position, 0x20)), word)
        }
        if (cut % 7 == 0) item = _cut(item, cut % item.length);
        if (cut % 11 == 0) item = bytes.concat(item, bytes32(word), before);
        bytes[] memory items = new bytes[](2);
        items[0] = item;
        items[1] = abi.encode(_signed(_token(stranger), DOLLAR));
        uint256[] memory gasLimits = new uint256[](2);
        (gasLimits[0], gasLimits[1]) = (1_000_000, 1_000_000);
        vm.prank(stranger);
        ICredits.BatchResult[] memory results = credits.redeemBatch(items, gasLimits);
        vm.assertTrue(results[1].success, "the other item is executed");
        vm.assertEq(usdc.balanceOf(stranger), DOLLAR);
        uint256 paid = results[0].success ? 3 * DOLLAR : 0;
        vm.assertEq(usdc.balanceOf(address(normalMerchant)), paid);
        vm.assertEq(_customerCredits(), 999 * DOLLAR - paid);
        vm.assertEq(credits.feesOwed(), 0);
        _assertBacked();
    }

    function _wordAt(bytes memory data, uint256 position) private pure returns (bytes32 word) {
        assembly ("memory-safe") {
            word := mload(add(add(data, 0x20), mul(position, 0x20)))
        }
    }

    function _cut(bytes memory data, uint256 length) private pure returns (bytes memory result) {
        result = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            result[i] = data[i];
        }
    }

    // Balances

    /// @dev The contract owes fees just as it owes credits, so it must not spend a single raw unit of them.
    function test_solvency_countsFees() public {
        _redeem(_signed(_token(receiver), 10 * DOLLAR, 0, DOLLAR, ICredits.UsdcMethod.None));
        vm.prank(address(credits));
        usdc.transfer(stranger, 1);
        bytes memory insolvent = abi.encodeWithSelector(ICredits.Insolvent.selector, 985 * DOLLAR - 1, 985 * DOLLAR);
        _expectRedeemReverts(_signed(_normal(5 * DOLLAR), 5 * DOLLAR), insolvent);
    }

    // What an operator must check

    /// @dev Shows why PROTOCOL.md 5.5 requires the `Transfer` directly after `AuthorizationUsed`: an attacker can
    /// produce both events in one transaction by two transfers, and only one of them pays the contract.
    function test_early_cannotTellWhoseTransferItWas() public {
        // The contract holds a victim's USDC, whose authorization was executed early and is not credited yet.
        address victim = vm.addr(uint256(keccak256("victim")));
        _fund(victim, 4 * DOLLAR);
        ICredits.EarlyAuthorization memory victims = _transfer("victim", victim, bytes32(uint256(1)));
        _executeEarly(victims, address(credits));

        // The attacker signs nonce 1 twice: to the contract, and to a friend. Nonce 2 pays the contract.
        address attacker = vm.addr(uint256(keccak256("attacker")));
        _fund(attacker, 8 * DOLLAR);
        ICredits.EarlyAuthorization memory first = _transfer("attacker", attacker, bytes32(uint256(1)));
        ICredits.EarlyAuthorization memory second = _transfer("attacker", attacker, bytes32(uint256(2)));
        ICredits.EarlyAuthorization memory back = first;
        bytes32 digest = _authorizationDigest(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), first, attacker);
        bytes memory backSignature = _signature(uint256(keccak256("attacker")), digest);
        // One transaction: AuthorizationUsed(1), Transfer(attacker → attacker), AuthorizationUsed(2), Transfer(→ credits).
        bytes memory kept = first.signature;
        back.signature = backSignature;
        _executeEarly(back, attacker);
        first.signature = kept;
        _executeEarly(second, address(credits));

        vm.startPrank(operator);
        credits.creditEarlyAuthorization("attackers", second);
        credits.creditEarlyAuthorization("attackers", first);
        vm.assertEq(credits.creditsOf("attackers", attacker), 8 * DOLLAR, "paid 4, has 8");
        vm.expectPartialRevert(ICredits.InsufficientSurplus.selector);
        credits.creditEarlyAuthorization(SEED, victims);
        vm.stopPrank();
    }

    function _transfer(string memory name, address from, bytes32 nonce)
        private
        view
        returns (ICredits.EarlyAuthorization memory authorization)
    {
        authorization.from = from;
        authorization.value = 4 * DOLLAR;
        authorization.validBefore = block.timestamp + 1 hours;
        authorization.nonce = nonce;
        authorization.signature = _signature(
            uint256(keccak256(bytes(name))),
            _authorizationDigest(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), authorization, address(credits))
        );
    }
}
