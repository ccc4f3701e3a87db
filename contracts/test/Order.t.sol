// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {Vm} from "./Test.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";

/// @title A token that moves one raw unit more than was authorized
/// @dev Implements only the functions that a redeem with USDC calls before its settlement.
contract GenerousUsdc {
    mapping(address account => uint256) private _given;

    function balanceOf(address account) external view returns (uint256) {
        return _given[account];
    }

    function receiveWithAuthorization(address, address to, uint256 value, uint256, uint256, bytes32, bytes calldata)
        external
    {
        _given[to] += value + 1;
    }
}

/// @title An order is paid once, even by attempts that differ (PROTOCOL.md 4)
contract OrderTest is CreditsFixture {
    /// @dev Merchant "sandbox-shop" and order "order 1" of the test vectors.
    bytes12 private constant ORDER_KEY = 0xcff8661c04b781a2804ce2e8;
    ICredits.UsdcMethod private constant NONE = ICredits.UsdcMethod.None;

    function setUp() public override {
        super.setUp();
        _fund(customer, 100 * DOLLAR);
    }

    /// @dev Returns an attempt at the order with a new salt.
    function _attempt(ICredits.Settlement memory settlement, uint256 amount, uint256 usdcAmount)
        private
        returns (ICredits.RedeemRequest memory request)
    {
        return _attempt(ORDER_KEY, settlement, amount, usdcAmount);
    }

    function _attempt(bytes12 orderKey, ICredits.Settlement memory settlement, uint256 amount, uint256 usdcAmount)
        private
        returns (ICredits.RedeemRequest memory request)
    {
        request = _request(settlement, amount, usdcAmount, 0);
        _bind(request, orderKey);
        _sign(request);
        _authorize(request, usdcAmount == 0 ? NONE : ICredits.UsdcMethod.ReceiveV2);
    }

    function _expectUsed(ICredits.RedeemRequest memory request, bytes32 usedBy, ICredits.OrderState state) private {
        bytes memory reason = _orderUsed(request.permit.customerWallet, usedBy, state);
        vm.prank(operator);
        vm.expectRevert(reason);
        credits.redeem(request);
    }

    // One payment

    /// @dev Makes second attempts with a different USDC part, price or kind, and one identical to the first.
    function test_order_isPaidOnce() public {
        ICredits.RedeemRequest[6] memory attempts = [
            _attempt(_token(receiver), 10 * DOLLAR, 0),
            _attempt(_token(receiver), 10 * DOLLAR, 4 * DOLLAR),
            _attempt(_token(receiver), 10 * DOLLAR, 3 * DOLLAR),
            _attempt(_token(receiver), 10_010_000, 0),
            _attempt(_normal(10 * DOLLAR), 10 * DOLLAR, 0),
            _attempt(_token(receiver), 10 * DOLLAR, 0)
        ];
        for (uint256 first = 0; first < attempts.length; ++first) {
            uint256 snapshot = vm.snapshotState();
            _redeem(attempts[first]);
            uint256 received = usdc.balanceOf(receiver) + usdc.balanceOf(address(normalMerchant));
            vm.assertEq(received, attempts[first].intent.amount);
            for (uint256 second = 0; second < attempts.length; ++second) {
                _expectUsed(attempts[second], attempts[first].permit.nonce, ICredits.OrderState.Redeemed);
            }
            vm.assertEq(usdc.balanceOf(receiver) + usdc.balanceOf(address(normalMerchant)), received, "once");
            vm.revertToState(snapshot);
        }
    }

    /// forge-config: default.fuzz.runs = 512
    function testFuzz_order_isPaidOnce(
        bytes12 orderKey,
        uint256 amount,
        uint256 usdcAmount,
        address destination,
        bytes32 salt,
        bool tokenEntry
    ) public {
        vm.assume(destination != address(0) && destination != address(usdc) && destination != address(credits));
        amount = bound(amount, 1, 50 * DOLLAR);
        usdcAmount = bound(usdcAmount, 0, amount);
        ICredits.RedeemRequest memory first = _attempt(orderKey, _token(receiver), 10 * DOLLAR, 0);
        ICredits.RedeemRequest memory second = _request(_token(destination), amount, usdcAmount, 0);
        second.intent.salt = salt;
        _bind(second, orderKey);
        _sign(second);
        _authorize(second, usdcAmount == 0 ? NONE : ICredits.UsdcMethod.ReceiveV2);

        bytes memory reason = _orderUsed(customer, first.permit.nonce, ICredits.OrderState.Redeemed);
        _redeem(first);
        (uint256 creditsLeft, uint256 usdcLeft) = (_customerCredits(), usdc.balanceOf(customer));
        vm.prank(stranger);
        vm.expectRevert(reason);
        if (tokenEntry && usdcAmount == 0) _redeemToken(second);
        else credits.redeem(second);
        vm.assertEq(_customerCredits(), creditsLeft);
        vm.assertEq(usdc.balanceOf(customer), usdcLeft);
        _assertBacked();
    }

    /// @dev Either of two attempts can pay the order.
    function test_order_anyAttemptMayPay() public {
        ICredits.RedeemRequest memory first = _attempt(_token(receiver), 10 * DOLLAR, 0);
        ICredits.RedeemRequest memory second = _attempt(_token(receiver), 10 * DOLLAR, 4 * DOLLAR);
        _redeem(second);
        _expectUsed(first, second.permit.nonce, ICredits.OrderState.Redeemed);
        vm.assertEq(usdc.balanceOf(receiver), 10 * DOLLAR);
    }

    /// @dev In a batch, only the second attempt fails.
    function test_order_isPaidOnceInABatch() public {
        bytes[] memory items = new bytes[](3);
        ICredits.RedeemRequest memory first = _attempt(_token(receiver), 10 * DOLLAR, 0);
        items[0] = abi.encode(first);
        items[1] = abi.encode(_attempt(_token(receiver), 10_010_000, 0));
        items[2] = abi.encode(_attempt(bytes12(~bytes32(ORDER_KEY)), _token(receiver), DOLLAR, 0));
        vm.prank(operator);
        ICredits.BatchResult[] memory results = credits.redeemBatch(items, _limits(3));
        vm.assertTrue(results[0].success && results[2].success);
        vm.assertEq(results[1].reason, _orderUsed(customer, first.permit.nonce, ICredits.OrderState.Redeemed));
        vm.assertEq(usdc.balanceOf(receiver), 11 * DOLLAR);
    }

    /// @dev If a second wallet uses the same order key, its order is separate.
    function test_order_belongsToOneWallet() public {
        uint256 key = uint256(keccak256("somebody else"));
        address somebody = vm.addr(key);
        _mintCredits(SEED, somebody, 10 * DOLLAR);
        ICredits.RedeemRequest memory request = _request(_token(receiver), DOLLAR, 0, 0);
        request.permit.customerWallet = somebody;
        _bind(request, ORDER_KEY);
        request.permit.signature = _signature(key, credits.hashCreditsAuthorization(request.permit));
        _redeem(request);
        _redeem(_attempt(_token(receiver), 10 * DOLLAR, 0));
        vm.assertEq(usdc.balanceOf(receiver), 11 * DOLLAR);
    }

    /// @dev After a redeem reverted, the customer can still pay the order, even at a different price.
    function test_order_staysOpenAfterARevert() public {
        ICredits.RedeemRequest memory request = _attempt(_normal(11 * DOLLAR), 10 * DOLLAR, 0);
        vm.prank(operator);
        vm.expectPartialRevert(ICredits.CallFailed.selector);
        credits.redeem(request);
        request = _attempt(_normal(10 * DOLLAR), 10 * DOLLAR, 0);
        vm.assertEq(uint256(_stateOf(request)), uint256(ICredits.OrderState.Unused));
        _redeem(request);
    }

    /// @dev After a permit expired unused, the customer can still pay the order at a new price.
    function test_order_staysOpenAfterExpiry() public {
        ICredits.RedeemRequest memory expired = _attempt(_token(receiver), 10 * DOLLAR, 0);
        vm.warp(expired.permit.validBefore);
        _redeem(_attempt(_token(receiver), 12 * DOLLAR, 0));
        vm.assertEq(usdc.balanceOf(receiver), 12 * DOLLAR);
    }

    // State

    function test_orderState() public {
        ICredits.RedeemRequest memory request = _attempt(_token(receiver), DOLLAR, 0);
        _assertState(ICredits.OrderState.Unused, 0, 0);
        vm.warp(NOW + 77);
        _redeem(request);
        _assertState(ICredits.OrderState.Redeemed, request.permit.nonce, NOW + 77);
        (ICredits.OrderState state,,) = credits.orderState(stranger, ORDER_KEY);
        vm.assertEq(uint256(state), uint256(ICredits.OrderState.Unused));
        (state,,) = credits.orderState(customer, bytes12(uint96(ORDER_KEY) ^ 1));
        vm.assertEq(uint256(state), uint256(ICredits.OrderState.Unused));
    }

    function test_orderState_withUsdc() public {
        ICredits.RedeemRequest memory request = _attempt(_token(receiver), DOLLAR, DOLLAR / 2);
        _redeem(request);
        _assertState(ICredits.OrderState.Redeemed, request.permit.nonce, NOW);
    }

    /// @dev The time is stored in 40 bits.
    function testFuzz_orderState_timestamp(uint40 timestamp) public {
        vm.warp(bound(timestamp, 1, type(uint40).max));
        ICredits.RedeemRequest memory request = _attempt(_token(receiver), DOLLAR, 0);
        _redeem(request);
        _assertState(ICredits.OrderState.Redeemed, request.permit.nonce, block.timestamp);
    }

    function _assertState(ICredits.OrderState expected, bytes32 nonce, uint256 time) private view {
        (ICredits.OrderState state, bytes20 commitment, uint40 timestamp) = credits.orderState(customer, ORDER_KEY);
        vm.assertEq(uint256(state), uint256(expected));
        vm.assertEq(bytes32(commitment), nonce << 96);
        vm.assertEq(timestamp, time);
    }

    // Cancelling

    function test_cancel_endsEveryAttempt() public {
        ICredits.RedeemRequest memory first = _attempt(_token(receiver), 10 * DOLLAR, 0);
        ICredits.RedeemRequest memory second = _attempt(_normal(DOLLAR), 10 * DOLLAR, 4 * DOLLAR);
        _cancel(first.permit.nonce);
        _assertState(ICredits.OrderState.Cancelled, first.permit.nonce, NOW);
        _expectUsed(first, first.permit.nonce, ICredits.OrderState.Cancelled);
        _expectUsed(second, first.permit.nonce, ICredits.OrderState.Cancelled);
        _expectUsed(_attempt(_token(receiver), 1, 0), first.permit.nonce, ICredits.OrderState.Cancelled);
        vm.prank(stranger);
        vm.expectRevert(_orderUsed(customer, first.permit.nonce, ICredits.OrderState.Cancelled));
        _redeemToken(first);
        vm.assertEq(usdc.balanceOf(receiver), 0);
        vm.assertEq(_customerCredits(), 1000 * DOLLAR);
    }

    /// @dev After one attempt was redeemed, no attempt at the order can be cancelled.
    function test_cancel_revertsWhenAnotherAttemptWasRedeemed() public {
        ICredits.RedeemRequest memory first = _attempt(_token(receiver), 10 * DOLLAR, 0);
        ICredits.RedeemRequest memory second = _attempt(_token(receiver), 11 * DOLLAR, 0);
        _redeem(first);
        bytes memory signature = _cancelSignature(second.permit.nonce);
        vm.expectRevert(_orderUsed(customer, first.permit.nonce, ICredits.OrderState.Redeemed));
        credits.cancelCreditsAuthorization(customer, second.permit.nonce, signature);
    }

    /// @dev During the merchant's call, the order can no longer be cancelled.
    function test_cancel_revertsWhileTheOrderIsRedeemed() public {
        HostileMerchant hostile = new HostileMerchant(address(usdc));
        _allow(address(hostile));
        bytes32 other = _attempt(_token(receiver), DOLLAR, 0).permit.nonce;
        bytes memory cancel =
            abi.encodeCall(ICredits.cancelCreditsAuthorization, (customer, other, _cancelSignature(other)));
        bytes memory data = abi.encodeCall(HostileMerchant.tryCall, (DOLLAR, address(credits), cancel));
        _redeem(_attempt(_call(ICredits.Kind.Normal, address(hostile), data), DOLLAR, 0));
        assertFalse(hostile.lastSucceeded());
    }

    // The highest bit

    /// @dev The highest bit of an order key is set even if the hash has it clear, as for "order 6".
    function test_orderKey_highestBit() public {
        string memory vectors = vm.readFile("test/vectors/redeem-intent.json");
        bytes32 hash = vm.parseJsonBytes32(vectors, ".orders[1].hash");
        bytes12 orderKey = bytes12(vm.parseJsonBytes(vectors, ".orders[1].orderKey"));
        vm.assertEq(uint256(hash) >> 255, 0, "a clear bit");
        vm.assertEq(bytes32(orderKey), bytes32(bytes12(hash | bytes32(uint256(1) << 255))));
        ICredits.RedeemRequest memory request = _attempt(orderKey, _token(receiver), DOLLAR, 0);
        vm.assertEq(bytes32(bytes12(request.permit.nonce)), bytes32(orderKey));
        // The unchanged hash gives the same nonce, because the contract sets the bit.
        ICredits.RedeemRequest memory again = _attempt(bytes12(hash), _token(receiver), 2 * DOLLAR, 0);
        vm.assertEq(bytes32(bytes12(again.permit.nonce)), bytes32(orderKey));
        _redeem(request);
        _expectUsed(again, request.permit.nonce, ICredits.OrderState.Redeemed);
    }

    /// @dev A random nonce whose other 95 key bits are the same belongs to a different order.
    function test_orderKey_ofARandomNonceIsAnother() public {
        _allowRandomNonces();
        _redeem(_attempt(_token(receiver), DOLLAR, 0));
        ICredits.RedeemRequest memory request = _signedRandomNonce(_token(receiver), DOLLAR, 0, 0, NONE);
        request.permit.nonce = bytes32(uint256(bytes32(ORDER_KEY)) & type(uint256).max >> 1);
        _sign(request);
        _redeem(request);
        vm.assertEq(usdc.balanceOf(receiver), 2 * DOLLAR);
    }

    // Random nonces

    function test_random_byOperatorInABatch() public {
        _allowRandomNonces();
        ICredits.RedeemRequest memory random = _signedRandomNonce(_token(receiver), DOLLAR, 0, 10_000, NONE);
        ICredits.RedeemRequest memory withUsdc =
            _signedRandomNonce(_token(receiver), 2 * DOLLAR, DOLLAR, 0, ICredits.UsdcMethod.TransferV2);
        bytes[] memory items = new bytes[](3);
        items[0] = abi.encode(random);
        items[1] = abi.encode(_attempt(_token(receiver), DOLLAR, 0));
        items[2] = abi.encode(withUsdc);
        vm.prank(operator);
        ICredits.BatchResult[] memory results = credits.redeemBatch(items, _limits(3));
        for (uint256 i = 0; i < 3; ++i) {
            vm.assertTrue(results[i].success, string(results[i].reason));
        }
        vm.assertEq(usdc.balanceOf(receiver), 4 * DOLLAR);
        vm.assertEq(credits.feesOwed(), 10_000);
        vm.assertEq(uint256(_stateOf(random)), uint256(ICredits.OrderState.Redeemed));
        (, bytes20 commitment,) = credits.orderState(customer, bytes12(random.permit.nonce));
        vm.assertEq(bytes32(commitment), random.permit.nonce << 96);
    }

    /// @dev Whether an item succeeds depends on the role of the batch's sender and on the setting of its seed.
    function test_random_inABatch_revertsWhenNotAllowed() public {
        bytes[] memory items = new bytes[](2);
        items[0] = abi.encode(_signedRandomNonce(_token(receiver), DOLLAR, 0, 0, NONE));
        items[1] = abi.encode(_attempt(_token(receiver), DOLLAR, 0));
        vm.prank(operator);
        ICredits.BatchResult[] memory results = credits.redeemBatch(items, _limits(2));
        vm.assertEq(
            results[0].reason, abi.encodeWithSelector(ICredits.RandomNoncePermitNotAllowed.selector, SEED, operator)
        );
        vm.assertTrue(results[1].success);
        _allowRandomNonces();
        items[1] = abi.encode(_attempt(0, _token(receiver), DOLLAR, 0));
        vm.prank(stranger);
        results = credits.redeemBatch(items, _limits(2));
        vm.assertEq(
            results[0].reason, abi.encodeWithSelector(ICredits.RandomNoncePermitNotAllowed.selector, SEED, stranger)
        );
        vm.assertTrue(results[1].success);
    }

    function test_random_isUsedOnce() public {
        _allowRandomNonces();
        ICredits.RedeemRequest memory request = _signedRandomNonce(_token(receiver), DOLLAR, 0, 0, NONE);
        _redeem(request);
        _expectUsed(request, request.permit.nonce, ICredits.OrderState.Redeemed);
    }

    // The customer's USDC

    function test_bound_revertsWhenAuthorizationIsATransfer() public {
        for (uint8 method = 1; method <= 2; ++method) {
            ICredits.RedeemRequest memory request =
                _signed(_token(receiver), 10 * DOLLAR, 4 * DOLLAR, 0, ICredits.UsdcMethod(method));
            _expectRedeemReverts(
                request, abi.encodeWithSelector(ICredits.ReceiveAuthorizationRequired.selector, request.permit.nonce)
            );
        }
    }

    /// @dev A stranger cannot execute an abandoned attempt's authorization directly at the token.
    function test_bound_abandonedAuthorizationMovesNothing() public {
        ICredits.RedeemRequest memory abandoned = _attempt(_token(receiver), 10 * DOLLAR, 4 * DOLLAR);
        _redeem(_attempt(_token(receiver), 10 * DOLLAR, 0));
        ICredits.EarlyAuthorization memory a = _early(abandoned);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "FiatTokenV2: caller must be the payee"));
        usdc.receiveWithAuthorization(a.from, address(credits), a.value, 0, a.validBefore, a.nonce, a.signature);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(a.from, address(credits), a.value, 0, a.validBefore, a.nonce, a.signature);
        vm.assertEq(usdc.balanceOf(customer), 100 * DOLLAR);
    }

    /// @dev The customer signed a transfer authorization with an intent-bound nonce, and a third party executed it.
    function test_bound_isNeverCreditedEarly() public {
        ICredits.RedeemRequest memory request =
            _signed(_token(receiver), 10 * DOLLAR, 4 * DOLLAR, 0, ICredits.UsdcMethod.TransferV2);
        _executeEarly(request);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ICredits.RandomNonceRequired.selector, request.permit.nonce));
        credits.creditEarlyAuthorization(SEED, _early(request));
        vm.assertEq(credits.surplus(), 4 * DOLLAR);
    }

    /// @dev Two nonces with the same first 12 bytes can each be credited once, because early credits use the full nonce.
    function test_early_byTheFullNonce() public {
        _allowRandomNonces();
        ICredits.RedeemRequest memory first =
            _signedRandomNonce(_token(receiver), DOLLAR, DOLLAR, 0, ICredits.UsdcMethod.TransferV2);
        ICredits.RedeemRequest memory second =
            _signedRandomNonce(_token(receiver), 2 * DOLLAR, 2 * DOLLAR, 0, ICredits.UsdcMethod.TransferV2);
        second.permit.nonce = bytes32(uint256(first.permit.nonce) ^ 1);
        _sign(second);
        _authorize(second, ICredits.UsdcMethod.TransferV2);
        // The redeem collected the first authorization, so only the second can be executed early.
        _redeem(first);
        _executeEarly(second);
        vm.startPrank(operator);
        vm.expectRevert(
            abi.encodeWithSelector(ICredits.AuthorizationAlreadyCredited.selector, customer, first.permit.nonce)
        );
        credits.creditEarlyAuthorization(SEED, _early(first));
        credits.creditEarlyAuthorization(SEED, _early(second));
        vm.assertEq(_customerCredits(), 1002 * DOLLAR);
        _fund2(2 * DOLLAR);
        vm.expectRevert(
            abi.encodeWithSelector(ICredits.AuthorizationAlreadyCredited.selector, customer, second.permit.nonce)
        );
        credits.creditEarlyAuthorization(SEED, _early(second));
        vm.stopPrank();
    }

    function _fund2(uint256 amount) private {
        vm.stopPrank();
        _fund(address(credits), amount);
        vm.startPrank(operator);
    }

    /// @dev The contract refuses a token that moves more than the authorization allows.
    function test_redeem_revertsWhenMoreUsdcArrives() public {
        ICredits.RedeemRequest memory request = _attempt(_token(receiver), 10 * DOLLAR, 4 * DOLLAR);
        bytes memory code = address(usdc).code;
        vm.etch(address(usdc), address(new GenerousUsdc()).code);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ICredits.TransferredAmountMismatch.selector, 4 * DOLLAR + 1, 4 * DOLLAR));
        credits.redeem(request);
        vm.etch(address(usdc), code);
        _redeem(request);
    }

    // Amounts of the event

    function test_redeem_revertsWhenAmountDoesNotFitTheEvent() public {
        uint256 amount = uint256(type(uint128).max) + 1;
        ICredits.RedeemRequest memory request = _attempt(_token(receiver), amount, amount - DOLLAR);
        _expectRedeemReverts(
            request, abi.encodeWithSelector(ICredits.AmountTooLarge.selector, amount, type(uint128).max)
        );
        // An amount that is one raw unit smaller passes this check, but USDC rejects it.
        request = _attempt(_token(receiver), amount - 1, amount - 1 - DOLLAR);
        _expectRedeemReverts(
            request, abi.encodeWithSignature("Error(string)", "ERC20: transfer amount exceeds balance")
        );
    }

    /// @dev Decodes the event with plain masks, as another program would.
    function testFuzz_event_isDecodable(uint256 price, uint256 amount, uint256 usdcAmount, uint256 gasFee) public {
        amount = bound(amount, 1, 100 * DOLLAR);
        price = bound(price, 0, amount);
        usdcAmount = bound(usdcAmount, 0, amount);
        gasFee = bound(gasFee, 0, DOLLAR);
        ICredits.RedeemRequest memory request = _request(_normal(price), amount, usdcAmount, gasFee);
        _bind(request, ORDER_KEY);
        _sign(request);
        _authorize(request, usdcAmount == 0 ? NONE : ICredits.UsdcMethod.ReceiveV1);
        uint256 before = _customerCredits();
        vm.recordLogs();
        _redeem(request);

        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory log = logs[logs.length - 1];
        vm.assertEq(log.topics[0], keccak256("Redeemed(address,bytes12,bytes32,bytes32,uint256,uint256,uint256)"));
        vm.assertEq(log.topics[1], bytes32(uint256(uint160(customer))));
        vm.assertEq(log.topics[2], bytes32(ORDER_KEY), "left-aligned");
        vm.assertEq(log.topics[3], keccak256(bytes(SEED)));
        (bytes32 nonce, uint256 kindAndTarget, uint256 amounts, uint256 refundedAndGasFee) =
            abi.decode(log.data, (bytes32, uint256, uint256, uint256));
        vm.assertEq(nonce, request.permit.nonce);
        vm.assertEq(kindAndTarget >> 160, uint256(ICredits.Kind.Normal));
        vm.assertEq(address(uint160(kindAndTarget)), address(normalMerchant));
        vm.assertEq(amounts >> 128, amount);
        vm.assertEq(uint128(amounts), usdcAmount);
        vm.assertEq(refundedAndGasFee >> 128, amount - price);
        vm.assertEq(uint128(refundedAndGasFee), gasFee);
        // The charged credits can be computed from the event.
        uint256 charged = (amounts >> 128) - uint128(amounts) + uint128(refundedAndGasFee);
        vm.assertEq(before + (refundedAndGasFee >> 128), _customerCredits() + charged);
    }

    function test_event_ofEachKind() public {
        _openRoute();
        knownMerchant.list(7, DOLLAR);
        ICredits.Settlement[6] memory settlements =
            [_token(receiver), _normal(DOLLAR), _safeMint(1, DOLLAR), _returned(DOLLAR), _known(7), _decent(DOLLAR)];
        for (uint256 kind = 0; kind < 6; ++kind) {
            ICredits.RedeemRequest memory request = _signed(settlements[kind], DOLLAR);
            vm.assertEq(uint256(settlements[kind].kind), kind);
            vm.expectEmit(address(credits));
            _emitRedeemed(request, 0);
            _redeem(request);
        }
    }

    // Decent

    /// @dev The destination chain's native coin pays for a decent redeem.
    function test_decent_native() public {
        ICredits.Settlement memory settlement = _native();
        ICredits.RedeemRequest memory request = _attempt(settlement, 3 * DOLLAR, DOLLAR);
        vm.expectEmit(address(credits));
        _emitRedeemed(request, DOLLAR);
        _redeem(request);
        vm.assertEq(usdc.balanceOf(address(adapter)), 2 * DOLLAR);
        vm.assertEq(_customerCredits(), 999 * DOLLAR, "3.00 minus 1.00 in USDC minus 1.00 left by the bridge");
        vm.assertEq(usdc.allowance(address(credits), address(adapter)), 0);
        _assertBacked();
    }

    /// @dev The customer signs `isNative`, so it cannot be changed.
    function test_decent_native_isPartOfTheNonce() public {
        ICredits.Settlement memory settlement = _native();
        ICredits.RedeemRequest memory request = _attempt(settlement, 3 * DOLLAR, 0);
        request.settlement.bridge.isNative = false;
        vm.prank(operator);
        vm.expectPartialRevert(ICredits.IntentMismatch.selector);
        credits.redeem(request);
    }

    function _native() private returns (ICredits.Settlement memory settlement) {
        _openRoute();
        vm.prank(admin);
        adapter.setRoute(DST_CHAIN, address(0), 0.0005 ether);
        settlement = _decent(0.001 ether);
        settlement.bridge.isNative = true;
        settlement.bridge.dstToken = address(0);
    }

    /// @dev After the adapter was replaced, permits that were signed for the previous one revert.
    function test_decent_revertsWhenTheAdapterWasSwapped() public {
        _openRoute();
        ICredits.RedeemRequest memory request = _attempt(_decent(DOLLAR), DOLLAR, 0);
        ICredits.RedeemRequest memory other = _signed(_token(receiver), DOLLAR);
        address another = address(_newAdapter(address(credits), address(usdc)));
        address[2] memory swaps = [another, address(0)];
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(admin);
            credits.setBridgeAdapter(swaps[i]);
            bytes32 expected =
                credits.intentNonce(ORDER_KEY, customer, credits.hashSettlement(request.settlement), request.intent);
            vm.assertTrue(expected != request.permit.nonce);
            _expectRedeemReverts(
                request, abi.encodeWithSelector(ICredits.IntentMismatch.selector, request.permit.nonce, expected)
            );
        }
        _redeem(other);
        vm.prank(admin);
        credits.setBridgeAdapter(address(adapter));
        _redeem(request);
        vm.assertEq(usdc.balanceOf(address(adapter)), DOLLAR);
    }

    /// @dev The hashes of the other kinds do not include the adapter.
    function test_hashSettlement_dependsOnTheAdapterOnlyWhenDecent() public {
        knownMerchant.list(7, DOLLAR);
        ICredits.Settlement[6] memory settlements =
            [_token(receiver), _normal(DOLLAR), _safeMint(1, DOLLAR), _returned(DOLLAR), _known(7), _decent(DOLLAR)];
        bytes32[6] memory before;
        for (uint256 i = 0; i < 6; ++i) {
            before[i] = credits.hashSettlement(settlements[i]);
        }
        vm.prank(admin);
        credits.setBridgeAdapter(address(0));
        for (uint256 i = 0; i < 6; ++i) {
            vm.assertTrue((credits.hashSettlement(settlements[i]) == before[i]) == (i != 5));
        }
    }
}
