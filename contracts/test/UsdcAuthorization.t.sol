// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {SmartWallet} from "./mocks/SmartWallet.sol";

contract UsdcAuthorizationTest is CreditsFixture {
    ICredits.UsdcMethod private constant NONE = ICredits.UsdcMethod.None;

    function setUp() public override {
        super.setUp();
        _fund(customer, 100 * DOLLAR);
    }

    function _paid(ICredits.UsdcMethod method) private returns (ICredits.RedeemRequest memory) {
        return _signed(_token(receiver), 10 * DOLLAR, 4 * DOLLAR, 0, method);
    }

    function test_redeem_eachMethod() public {
        for (uint8 method = 1; method <= 4; ++method) {
            _redeem(_paid(ICredits.UsdcMethod(method)));
            vm.assertEq(usdc.balanceOf(receiver), method * 10 * DOLLAR);
            vm.assertEq(usdc.balanceOf(customer), (100 - method * 4) * DOLLAR);
            vm.assertEq(_customerCredits(), (1000 - method * 6) * DOLLAR);
            vm.assertEq(credits.surplus(), 0);
        }
    }

    function test_redeem_usdcOnly() public {
        ICredits.RedeemRequest memory request =
            _signed(_token(receiver), DOLLAR, DOLLAR, 0, ICredits.UsdcMethod.ReceiveV2);
        vm.assertEq(request.permit.amount, 0);
        _redeem(request);
        vm.assertEq(_customerCredits(), 1000 * DOLLAR);
    }

    function test_redeem_smartWallet() public {
        address wallet = address(new SmartWallet(customer));
        _fund(wallet, DOLLAR);
        for (uint8 method = 2; method <= 4; method += 2) {
            ICredits.RedeemRequest memory request = _request(_token(receiver), DOLLAR / 2, DOLLAR / 2, 0);
            request.permit.customerWallet = wallet;
            _bind(request);
            _sign(request);
            _authorize(request, ICredits.UsdcMethod(method));
            _redeem(request);
        }
        vm.assertEq(usdc.balanceOf(wallet), 0);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
    }

    // Every field

    function test_redeem_revertsWhenFieldDiffers() public {
        for (uint8 method = 1; method <= 4; ++method) {
            ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod(method));
            ICredits.UsdcAuthorization memory good = _copy(request.usdcAuthorization);

            request.usdcAuthorization.from = stranger;
            _expectMismatch(request, "from", _word(stranger), _word(customer));
            request.usdcAuthorization = _copy(good);
            request.usdcAuthorization.to = stranger;
            _expectMismatch(request, "to", _word(stranger), _word(address(credits)));
            request.usdcAuthorization = _copy(good);
            request.usdcAuthorization.value += 1;
            _expectMismatch(request, "value", bytes32(4 * DOLLAR + 1), bytes32(4 * DOLLAR));
            request.usdcAuthorization = _copy(good);
            request.usdcAuthorization.validAfter = 1;
            _expectMismatch(request, "validAfter", bytes32(uint256(1)), 0);
            request.usdcAuthorization = _copy(good);
            request.usdcAuthorization.validBefore += 1;
            _expectMismatch(request, "validBefore", bytes32(good.validBefore + 1), bytes32(good.validBefore));
            request.usdcAuthorization = _copy(good);
            request.usdcAuthorization.nonce = bytes32(uint256(good.nonce) ^ 1);
            _expectMismatch(request, "nonce", bytes32(uint256(good.nonce) ^ 1), good.nonce);
            request.usdcAuthorization = _copy(good);
            request.usdcAuthorization.method = NONE;
            _expectMismatch(request, "method", 0, bytes32(uint256(4)));
        }
    }

    function test_redeem_revertsWhenAuthorizationIsMissing() public {
        ICredits.RedeemRequest memory request = _paid(NONE);
        _expectMismatch(request, "from", 0, _word(customer));
    }

    function test_redeem_revertsWhenAuthorizationIsNotNeeded() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        request.usdcAuthorization.method = ICredits.UsdcMethod.ReceiveV2;
        _expectMismatch(request, "method", bytes32(uint256(4)), 0);
        request.usdcAuthorization.method = NONE;
        request.usdcAuthorization.from = customer;
        _expectMismatch(request, "from", _word(customer), 0);
        request.usdcAuthorization.from = address(0);
        request.usdcAuthorization.to = customer;
        _expectMismatch(request, "to", _word(customer), 0);
        request.usdcAuthorization.to = address(0);
        request.usdcAuthorization.value = 1;
        _expectMismatch(request, "value", bytes32(uint256(1)), 0);
        request.usdcAuthorization.value = 0;
        request.usdcAuthorization.validAfter = 1;
        _expectMismatch(request, "validAfter", bytes32(uint256(1)), 0);
        request.usdcAuthorization.validAfter = 0;
        request.usdcAuthorization.validBefore = 1;
        _expectMismatch(request, "validBefore", bytes32(uint256(1)), 0);
        request.usdcAuthorization.validBefore = 0;
        request.usdcAuthorization.nonce = bytes32(uint256(1));
        _expectMismatch(request, "nonce", bytes32(uint256(1)), 0);
        request.usdcAuthorization.nonce = 0;
        request.usdcAuthorization.signature = hex"00";
        _expectMismatch(request, "signature", bytes32(uint256(1)), 0);
    }

    function test_redeem_revertsWhenUsdcExceedsAmount() public {
        ICredits.RedeemRequest memory request = _request(_token(receiver), DOLLAR, 0, 0);
        request.intent.usdcAmount = DOLLAR + 1;
        _bind(request);
        _sign(request);
        _authorize(request, ICredits.UsdcMethod.ReceiveV2);
        _expectRedeemReverts(
            request, abi.encodeWithSelector(ICredits.UsdcAmountExceedsAmount.selector, DOLLAR + 1, DOLLAR)
        );
    }

    function test_redeem_revertsWhenV1SignatureIsNotPacked() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.ReceiveV1);
        request.usdcAuthorization.signature = bytes.concat(request.usdcAuthorization.signature, hex"00");
        _expectRedeemReverts(request, abi.encodeWithSelector(ICredits.InvalidV1SignatureLength.selector, 66));
        request = _paid(ICredits.UsdcMethod.TransferV1);
        request.usdcAuthorization.signature = "";
        _expectRedeemReverts(request, abi.encodeWithSelector(ICredits.InvalidV1SignatureLength.selector, 0));
    }

    /// @dev The two types are told apart: a signature for one is none for the other.
    function test_redeem_revertsWhenTypeDiffers() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        request.usdcAuthorization.method = ICredits.UsdcMethod.ReceiveV2;
        _expectTokenReverts(request, "FiatTokenV2: invalid signature");
        request = _paid(ICredits.UsdcMethod.ReceiveV1);
        request.usdcAuthorization.method = ICredits.UsdcMethod.TransferV1;
        _expectTokenReverts(request, "FiatTokenV2: invalid signature");
    }

    /// @dev V1 and V2 are two ways for one signature.
    function test_redeem_takesEitherVersion() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.ReceiveV1);
        request.usdcAuthorization.method = ICredits.UsdcMethod.ReceiveV2;
        _redeem(request);
    }

    function test_redeem_revertsWhenUsdcIsShort() public {
        ICredits.RedeemRequest memory request =
            _signed(_token(receiver), 101 * DOLLAR, 101 * DOLLAR, 0, ICredits.UsdcMethod.ReceiveV2);
        _expectTokenReverts(request, "ERC20: transfer amount exceeds balance");
    }

    function test_redeem_revertsWhenTokenIsPaused() public {
        vm.prank(issuer);
        usdc.pause();
        _expectTokenReverts(_paid(ICredits.UsdcMethod.ReceiveV2), "Pausable: paused");
    }

    /// @dev A token that moves less than it says is noticed.
    function test_redeem_revertsWhenLessArrives() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.ReceiveV2);
        // A token that says yes and moves nothing.
        bytes memory code = address(usdc).code;
        vm.etch(address(usdc), hex"600160005260206000f3");
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ICredits.TransferredAmountMismatch.selector, 0, 4 * DOLLAR));
        credits.redeem(request);
        vm.etch(address(usdc), code);
        _redeem(request);
    }

    // Landed early

    function _land(ICredits.RedeemRequest memory request) private {
        ICredits.UsdcAuthorization memory a = request.usdcAuthorization;
        vm.prank(stranger);
        usdc.transferWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, a.signature);
    }

    function test_receive_cannotBeLandedEarly() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.ReceiveV2);
        ICredits.UsdcAuthorization memory a = request.usdcAuthorization;
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "FiatTokenV2: caller must be the payee"));
        usdc.receiveWithAuthorization(a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, a.signature);
    }

    function test_early_isCreditedOnce() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _land(request);
        _expectTokenReverts(request, "FiatTokenV2: authorization is used or canceled");
        vm.assertEq(credits.surplus(), 4 * DOLLAR);

        vm.prank(operator);
        vm.expectEmit(address(credits));
        emit ICredits.EarlyAuthorizationCredited(customer, request.permit.nonce, SEED, 4 * DOLLAR);
        credits.creditEarlyAuthorization(SEED, customer, request.permit.nonce, 4 * DOLLAR);
        vm.assertEq(_customerCredits(), 1004 * DOLLAR);
        vm.assertEq(credits.surplus(), 0);
        vm.assertEq(uint256(_stateOf(request)), uint256(ICredits.NonceState.Unused));

        _fund(address(credits), 4 * DOLLAR);
        vm.prank(operator);
        vm.expectRevert(
            abi.encodeWithSelector(ICredits.AuthorizationAlreadyCredited.selector, customer, request.permit.nonce)
        );
        credits.creditEarlyAuthorization(SEED, customer, request.permit.nonce, 4 * DOLLAR);
    }

    function test_early_revertsWhenNotOperator() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _land(request);
        bytes32 role = credits.OPERATOR_ROLE();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSignature("AccessControlUnauthorizedAccount(address,bytes32)", stranger, role));
        credits.creditEarlyAuthorization(SEED, customer, request.permit.nonce, 4 * DOLLAR);
    }

    function test_early_revertsWhenNotLanded() public {
        _fund(address(credits), 4 * DOLLAR);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ICredits.AuthorizationNotLanded.selector, customer, bytes32(uint256(1))));
        credits.creditEarlyAuthorization(SEED, customer, bytes32(uint256(1)), 4 * DOLLAR);
    }

    function test_early_revertsWhenRedeemedWithUsdc() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _redeem(request);
        _fund(address(credits), 4 * DOLLAR);
        vm.prank(operator);
        vm.expectRevert(
            abi.encodeWithSelector(ICredits.AuthorizationAlreadyCredited.selector, customer, request.permit.nonce)
        );
        credits.creditEarlyAuthorization(SEED, customer, request.permit.nonce, 4 * DOLLAR);
    }

    function test_early_revertsWhenItWouldTakeBacking() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _land(request);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ICredits.InsufficientSurplus.selector, 4 * DOLLAR, 4 * DOLLAR + 1));
        credits.creditEarlyAuthorization(SEED, customer, request.permit.nonce, 4 * DOLLAR + 1);
    }

    /// @dev Fees are owed to somebody: they are no surplus.
    function test_early_revertsWhenItWouldTakeFees() public {
        _redeem(_signed(_token(receiver), DOLLAR, 0, 5 * DOLLAR, NONE));
        vm.assertEq(credits.surplus(), 0);
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _land(request);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ICredits.InsufficientSurplus.selector, 4 * DOLLAR, 9 * DOLLAR));
        credits.creditEarlyAuthorization(SEED, customer, request.permit.nonce, 9 * DOLLAR);
    }

    function test_early_revertsWhenZero() public {
        vm.startPrank(operator);
        vm.expectRevert(abi.encodeWithSelector(ICredits.ZeroAmount.selector));
        credits.creditEarlyAuthorization(SEED, customer, bytes32(uint256(1)), 0);
        vm.expectRevert(abi.encodeWithSelector(ICredits.ZeroAddress.selector, "from"));
        credits.creditEarlyAuthorization(SEED, address(0), bytes32(uint256(1)), 1);
    }

    function test_early_afterCancel() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _land(request);
        bytes32 digest = credits.hashCancelCreditsAuthorization(customer, request.permit.nonce);
        credits.cancelCreditsAuthorization(customer, request.permit.nonce, _signature(CUSTOMER_KEY, digest));
        vm.prank(operator);
        credits.creditEarlyAuthorization(SEED, customer, request.permit.nonce, 4 * DOLLAR);
        vm.assertEq(uint256(_stateOf(request)), uint256(ICredits.NonceState.Cancelled));
        vm.assertEq(_customerCredits(), 1004 * DOLLAR);
    }

    /// @dev Cancelling the permit does not make the credited money creditable again.
    function test_early_revertsWhenCreditedAndThenCancelled() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _land(request);
        vm.prank(operator);
        credits.creditEarlyAuthorization(SEED, customer, request.permit.nonce, 4 * DOLLAR);
        bytes32 digest = credits.hashCancelCreditsAuthorization(customer, request.permit.nonce);
        credits.cancelCreditsAuthorization(customer, request.permit.nonce, _signature(CUSTOMER_KEY, digest));
        _fund(address(credits), 4 * DOLLAR);
        vm.prank(operator);
        vm.expectRevert(
            abi.encodeWithSelector(ICredits.AuthorizationAlreadyCredited.selector, customer, request.permit.nonce)
        );
        credits.creditEarlyAuthorization(SEED, customer, request.permit.nonce, 4 * DOLLAR);
    }

    // Inside

    function _expectMismatch(
        ICredits.RedeemRequest memory request,
        string memory field,
        bytes32 given,
        bytes32 expected
    ) private {
        _expectRedeemReverts(
            request, abi.encodeWithSelector(ICredits.UsdcAuthorizationMismatch.selector, field, given, expected)
        );
    }

    function _expectTokenReverts(ICredits.RedeemRequest memory request, string memory reason) private {
        _expectRedeemReverts(request, abi.encodeWithSignature("Error(string)", reason));
    }

    function _copy(ICredits.UsdcAuthorization memory authorization)
        private
        pure
        returns (ICredits.UsdcAuthorization memory)
    {
        return abi.decode(abi.encode(authorization), (ICredits.UsdcAuthorization));
    }

    function _word(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }
}
