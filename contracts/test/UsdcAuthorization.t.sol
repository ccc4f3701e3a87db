// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {SmartWallet} from "./mocks/Wallets.sol";

contract UsdcAuthorizationTest is CreditsFixture {
    ICredits.UsdcMethod private constant NONE = ICredits.UsdcMethod.None;

    function setUp() public override {
        super.setUp();
        _allowRandomNonces();
        _fund(customer, 100 * DOLLAR);
    }

    /// @dev Intent-bound nonces allow only `ReceiveWithAuthorization`.
    function _paid(ICredits.UsdcMethod method) private returns (ICredits.RedeemRequest memory) {
        return _isTransfer(method) ? _random(method) : _signed(_token(receiver), 10 * DOLLAR, 4 * DOLLAR, 0, method);
    }

    function _random(ICredits.UsdcMethod method) private returns (ICredits.RedeemRequest memory) {
        return _signedRandomNonce(_token(receiver), 10 * DOLLAR, 4 * DOLLAR, 0, method);
    }

    function _isTransfer(ICredits.UsdcMethod method) private pure returns (bool) {
        return method == ICredits.UsdcMethod.TransferV1 || method == ICredits.UsdcMethod.TransferV2;
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
            ICredits.RedeemRequest memory request =
                _signedRandomNonce(_token(receiver), DOLLAR / 2, DOLLAR / 2, 0, NONE);
            request.permit.customerWallet = wallet;
            _sign(request);
            _authorize(request, ICredits.UsdcMethod(method));
            _redeem(request);
        }
        vm.assertEq(usdc.balanceOf(wallet), 0);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
    }

    // Every field

    /// @dev The relayer supplies only the signature. The contract takes all signed fields from the permit.
    function test_redeem_revertsWhenSignedFieldDiffers() public {
        for (uint8 method = 1; method <= 4; ++method) {
            ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod(method));
            ICredits.EarlyAuthorization memory authorization = _early(request);
            ++authorization.value;
            _expectForged(request, authorization, address(credits));
            --authorization.value;
            ++authorization.validAfter;
            _expectForged(request, authorization, address(credits));
            --authorization.validAfter;
            ++authorization.validBefore;
            _expectForged(request, authorization, address(credits));
            --authorization.validBefore;
            authorization.nonce = bytes32(uint256(authorization.nonce) ^ 1);
            _expectForged(request, authorization, address(credits));
            authorization.nonce = request.permit.nonce;
            authorization.from = stranger;
            _expectForged(request, authorization, address(credits));
            authorization.from = customer;
            _expectForged(request, authorization, stranger);
            request.usdcAuthorization.signature =
                _signature(CUSTOMER_KEY, _authorizationDigest(_typehash(request), authorization, address(credits)));
            _redeem(request);
        }
    }

    function test_redeem_revertsWhenAuthorizationIsMissing() public {
        ICredits.RedeemRequest memory request = _paid(NONE);
        _expectRedeemReverts(request, abi.encodeWithSelector(ICredits.MissingUsdcAuthorization.selector));
        request = _paid(ICredits.UsdcMethod.ReceiveV2);
        request.usdcAuthorization.method = NONE;
        _expectRedeemReverts(request, abi.encodeWithSelector(ICredits.MissingUsdcAuthorization.selector));
    }

    function test_redeem_revertsWhenAuthorizationIsNotNeeded() public {
        bytes memory refusal = abi.encodeWithSelector(ICredits.UnexpectedUsdcAuthorization.selector);
        ICredits.RedeemRequest memory request = _signedRandomNonce(_token(receiver), DOLLAR, 0, 0, NONE);
        for (uint8 method = 1; method <= 4; ++method) {
            request.usdcAuthorization.method = ICredits.UsdcMethod(method);
            _expectRedeemReverts(request, refusal);
        }
        request.usdcAuthorization.method = NONE;
        request.usdcAuthorization.signature = hex"00";
        _expectRedeemReverts(request, refusal);
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

    /// @dev A signature for one of the two types is not valid for the other.
    function test_redeem_revertsWhenTypeDiffers() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        request.usdcAuthorization.method = ICredits.UsdcMethod.ReceiveV2;
        _expectTokenReverts(request, "FiatTokenV2: invalid signature");
        request = _random(ICredits.UsdcMethod.ReceiveV1);
        request.usdcAuthorization.method = ICredits.UsdcMethod.TransferV1;
        _expectTokenReverts(request, "FiatTokenV2: invalid signature");
    }

    /// @dev V1 and V2 encode the same signature differently.
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

    function test_redeem_revertsWhenLessArrives() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.ReceiveV2);
        // This code returns success and moves nothing.
        bytes memory code = address(usdc).code;
        vm.etch(address(usdc), hex"600160005260206000f3");
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ICredits.TransferredAmountMismatch.selector, 0, 4 * DOLLAR));
        credits.redeem(request);
        vm.etch(address(usdc), code);
        _redeem(request);
    }

    // Executed early

    function _credit(ICredits.EarlyAuthorization memory authorization) private {
        vm.prank(operator);
        credits.creditEarlyAuthorization(SEED, authorization);
    }

    function _expectCreditReverts(ICredits.EarlyAuthorization memory authorization, bytes memory reason) private {
        vm.prank(operator);
        vm.expectRevert(reason);
        credits.creditEarlyAuthorization(SEED, authorization);
    }

    function test_early_isCreditedOnce() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _executeEarly(request);
        _expectTokenReverts(request, "FiatTokenV2: authorization is used or canceled");
        vm.assertEq(credits.surplus(), 4 * DOLLAR);

        vm.prank(operator);
        vm.expectEmit(address(credits));
        emit ICredits.EarlyAuthorizationCredited(customer, request.permit.nonce, SEED, 4 * DOLLAR);
        credits.creditEarlyAuthorization(SEED, _early(request));
        vm.assertEq(_customerCredits(), 1004 * DOLLAR);
        vm.assertEq(credits.totalCredits(), 1004 * DOLLAR);
        vm.assertEq(credits.surplus(), 0);
        vm.assertEq(uint256(_stateOf(request)), uint256(ICredits.OrderState.Unused));

        _fund(address(credits), 4 * DOLLAR);
        _expectCreditReverts(_early(request), _alreadyCredited(request));
    }

    function test_early_ofSmartWallet() public {
        ICredits.RedeemRequest memory request = _signedRandomNonce(_token(receiver), DOLLAR, DOLLAR, 0, NONE);
        address wallet = address(new SmartWallet(customer));
        _fund(wallet, DOLLAR);
        request.permit.customerWallet = wallet;
        _authorize(request, ICredits.UsdcMethod.TransferV2);
        _executeEarly(request);
        _credit(_early(request));
        vm.assertEq(credits.creditsOf(SEED, wallet), DOLLAR);
    }

    /// @dev The contract credits any authorization to it, not only a redeem's.
    function test_early_withValidAfter() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        ICredits.EarlyAuthorization memory authorization = _early(request);
        authorization.validAfter = 7;
        authorization.signature = _signature(
            CUSTOMER_KEY,
            _authorizationDigest(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), authorization, address(credits))
        );
        usdc.transferWithAuthorization(
            customer,
            address(credits),
            authorization.value,
            7,
            authorization.validBefore,
            authorization.nonce,
            authorization.signature
        );
        _credit(authorization);
        vm.assertEq(_customerCredits(), 1004 * DOLLAR);
    }

    /// @dev After a redeem without USDC, its nonce can still be used in a separate authorization.
    function test_early_withTheNonceOfARedeemWithoutUsdc() public {
        ICredits.RedeemRequest memory redeemed = _signedRandomNonce(_token(receiver), DOLLAR, 0, 0, NONE);
        _redeem(redeemed);
        ICredits.EarlyAuthorization memory authorization = _early(redeemed);
        authorization.value = 4 * DOLLAR;
        authorization.signature = _signature(
            CUSTOMER_KEY,
            _authorizationDigest(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), authorization, address(credits))
        );
        usdc.transferWithAuthorization(
            customer,
            address(credits),
            authorization.value,
            0,
            authorization.validBefore,
            authorization.nonce,
            authorization.signature
        );
        _credit(authorization);
        vm.assertEq(_customerCredits(), 1003 * DOLLAR);
    }

    function test_early_revertsWhenNotOperator() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _executeEarly(request);
        bytes32 role = credits.OPERATOR_ROLE();
        vm.prank(stranger);
        vm.expectRevert(_unauthorized(stranger, role));
        credits.creditEarlyAuthorization(SEED, _early(request));
    }

    function test_early_revertsWhenNotUsed() public {
        _fund(address(credits), 4 * DOLLAR);
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _expectCreditReverts(
            _early(request),
            abi.encodeWithSelector(ICredits.AuthorizationNotUsed.selector, customer, request.permit.nonce)
        );
    }

    /// @dev The customer signs payee and value, so the operator cannot change them.
    function test_early_revertsWhenFieldDiffers() public {
        _fund(address(credits), 100 * DOLLAR);
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _executeEarly(request);
        ICredits.EarlyAuthorization memory authorization = _early(request);
        ++authorization.value;
        _expectNotSigned(authorization);
        authorization.value -= 2;
        _expectNotSigned(authorization);
        ++authorization.value;
        ++authorization.validAfter;
        _expectNotSigned(authorization);
        --authorization.validAfter;
        --authorization.validBefore;
        _expectNotSigned(authorization);
        ++authorization.validBefore;
        authorization.signature = _signature(uint256(keccak256("stranger")), _authorizationDigest(request));
        _expectNotSigned(authorization);
        authorization.signature = "";
        _expectNotSigned(authorization);
    }

    /// @dev An authorization for a different payee, or of a different type, was not signed for this contract.
    function test_early_revertsWhenSignedForAnother() public {
        _fund(address(credits), 100 * DOLLAR);
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        ICredits.EarlyAuthorization memory authorization = _early(request);
        bytes32 typehash = usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH();
        authorization.signature = _signature(CUSTOMER_KEY, _authorizationDigest(typehash, authorization, stranger));
        usdc.transferWithAuthorization(
            customer, stranger, 4 * DOLLAR, 0, authorization.validBefore, authorization.nonce, authorization.signature
        );
        _expectNotSigned(authorization);
        typehash = usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH();
        authorization.signature =
            _signature(CUSTOMER_KEY, _authorizationDigest(typehash, authorization, address(credits)));
        _expectNotSigned(authorization);
    }

    /// @dev A nonce that was only cancelled at the token is not credited, regardless of the surplus.
    function test_early_revertsWhenCancelledAtTheToken() public {
        _fund(address(credits), 100 * DOLLAR);
        ICredits.RedeemRequest memory request = _random(ICredits.UsdcMethod.ReceiveV2);
        _cancelAtTheToken(request.permit.nonce);
        vm.assertTrue(usdc.authorizationState(customer, request.permit.nonce));
        _expectNotSigned(_early(request));
    }

    /// @dev The contract cannot tell whether a signed authorization was executed or cancelled, because the token has
    /// one flag for both. The surplus limits the damage.
    function test_early_revertsWhenCancelledWithoutSurplus() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _cancelAtTheToken(request.permit.nonce);
        _expectCreditReverts(
            _early(request), abi.encodeWithSelector(ICredits.InsufficientSurplus.selector, 0, 4 * DOLLAR)
        );
    }

    function test_early_revertsWhenRedeemedWithUsdc() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _redeem(request);
        _fund(address(credits), 4 * DOLLAR);
        _expectCreditReverts(_early(request), _alreadyCredited(request));
    }

    function test_early_revertsWhenItWouldTakeBacking() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _executeEarly(request);
        vm.prank(address(credits));
        usdc.transfer(stranger, 1);
        _expectCreditReverts(
            _early(request), abi.encodeWithSelector(ICredits.InsufficientSurplus.selector, 4 * DOLLAR - 1, 4 * DOLLAR)
        );
    }

    /// @dev Fees are not surplus, because the contract owes them.
    function test_early_revertsWhenItWouldTakeFees() public {
        _redeem(_signed(_token(receiver), DOLLAR, 0, 5 * DOLLAR, NONE));
        vm.assertEq(credits.surplus(), 0);
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _cancelAtTheToken(request.permit.nonce);
        _expectCreditReverts(
            _early(request), abi.encodeWithSelector(ICredits.InsufficientSurplus.selector, 0, 4 * DOLLAR)
        );
    }

    function test_early_revertsWhenZero() public {
        ICredits.EarlyAuthorization memory authorization = _early(_paid(ICredits.UsdcMethod.TransferV2));
        authorization.value = 0;
        _expectCreditReverts(authorization, abi.encodeWithSelector(ICredits.ZeroAmount.selector));
        authorization.value = 1;
        authorization.from = address(0);
        _expectCreditReverts(authorization, abi.encodeWithSelector(ICredits.ZeroAddress.selector, "from"));
    }

    function test_early_afterCancel() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _executeEarly(request);
        _cancel(request.permit.nonce);
        _credit(_early(request));
        vm.assertEq(uint256(_stateOf(request)), uint256(ICredits.OrderState.Cancelled));
        vm.assertEq(_customerCredits(), 1004 * DOLLAR);
    }

    /// @dev Cancelling the permit does not allow a second credit.
    function test_early_revertsWhenCreditedAndThenCancelled() public {
        ICredits.RedeemRequest memory request = _paid(ICredits.UsdcMethod.TransferV2);
        _executeEarly(request);
        _credit(_early(request));
        _cancel(request.permit.nonce);
        _fund(address(credits), 4 * DOLLAR);
        _expectCreditReverts(_early(request), _alreadyCredited(request));
    }

    // Helpers

    function _cancelAtTheToken(bytes32 nonce) private {
        bytes32 structHash = keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), customer, nonce));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", usdc.DOMAIN_SEPARATOR(), structHash));
        usdc.cancelAuthorization(customer, nonce, _signature(CUSTOMER_KEY, digest));
    }

    function _alreadyCredited(ICredits.RedeemRequest memory request) private view returns (bytes memory) {
        return abi.encodeWithSelector(ICredits.AuthorizationAlreadyCredited.selector, customer, request.permit.nonce);
    }

    function _expectNotSigned(ICredits.EarlyAuthorization memory authorization) private {
        bytes32 digest =
            _authorizationDigest(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), authorization, address(credits));
        _expectCreditReverts(
            authorization,
            abi.encodeWithSelector(ICredits.InvalidEarlyAuthorization.selector, authorization.from, digest)
        );
    }

    function _typehash(ICredits.RedeemRequest memory request) private view returns (bytes32) {
        ICredits.UsdcMethod method = request.usdcAuthorization.method;
        return
            _isTransfer(method)
                ? usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH()
                : usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH();
    }

    /// @dev Signs, as the customer, a different authorization, which the token refuses.
    function _expectForged(
        ICredits.RedeemRequest memory request,
        ICredits.EarlyAuthorization memory authorization,
        address to
    ) private {
        request.usdcAuthorization.signature = _signature(
            CUSTOMER_KEY, _authorizationDigest(_typehash(request), authorization, to)
        );
        _expectTokenReverts(request, "FiatTokenV2: invalid signature");
    }

    function _expectTokenReverts(ICredits.RedeemRequest memory request, string memory reason) private {
        _expectRedeemReverts(request, abi.encodeWithSignature("Error(string)", reason));
    }
}
