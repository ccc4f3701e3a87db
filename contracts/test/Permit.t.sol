// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {
    BombWallet,
    MockVerifier,
    OddVerifier,
    RefusingWallet,
    RevertingVerifier,
    RevertingWallet,
    SmartWallet,
    SmartWalletFactory
} from "./mocks/Wallets.sol";

contract PermitTest is CreditsFixture {
    // Time

    function test_redeem_oneSecondBeforeExpiry() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        vm.warp(request.permit.validBefore - 1);
        _redeem(request);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
    }

    function test_redeem_revertsWhenExpiredAtBound() public {
        _expired(0);
    }

    function test_redeem_revertsWhenExpiredAfterBound() public {
        _expired(1);
    }

    function _expired(uint256 late) private {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        uint256 validBefore = request.permit.validBefore;
        vm.warp(validBefore + late);
        _expectRedeemReverts(
            request, abi.encodeWithSelector(ICredits.PermitExpired.selector, validBefore, validBefore + late)
        );
    }

    // Intent

    function test_redeem_byAnyone() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        vm.prank(stranger);
        credits.redeem(request);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
        vm.assertEq(_customerCredits(), 999 * DOLLAR);
        vm.assertEq(uint256(_stateOf(request)), uint256(ICredits.OrderState.Redeemed));
        _assertBacked();
    }

    function test_redeem_revertsWhenIntentAmountDiffers() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        request.intent.amount -= 1;
        _expectMismatch(request);
    }

    function test_redeem_revertsWhenIntentSaltDiffers() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        request.intent.salt = 0;
        _expectMismatch(request);
    }

    function test_redeem_revertsWhenIntentUsdcAmountDiffers() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        request.intent.usdcAmount = 1;
        _expectMismatch(request);
    }

    function test_redeem_revertsWhenTargetDiffers() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        request.settlement.target = stranger;
        _expectMismatch(request);
    }

    function test_redeem_revertsWhenDataDiffers() public {
        ICredits.RedeemRequest memory request = _signed(_normal(DOLLAR), DOLLAR);
        request.settlement.data[35] ^= 0x01;
        _expectMismatch(request);
    }

    function test_redeem_revertsWhenKindDiffers() public {
        ICredits.RedeemRequest memory request = _signed(_safeMint(1, DOLLAR), DOLLAR);
        request.settlement.kind = ICredits.Kind.Returned;
        _expectMismatch(request);
    }

    function test_redeem_revertsWhenNftContractDiffers() public {
        ICredits.RedeemRequest memory request = _signed(_safeMint(1, DOLLAR), DOLLAR);
        request.settlement.nftContract = address(mint1155);
        _expectMismatch(request);
    }

    function test_redeem_revertsWhenNftIdDiffers() public {
        ICredits.RedeemRequest memory request = _signed(_known(1), DOLLAR);
        request.settlement.nftId = 2;
        _expectMismatch(request);
    }

    function test_redeem_revertsWhenBridgeDiffers() public {
        ICredits.RedeemRequest memory request = _signed(_decent(DOLLAR), DOLLAR);
        request.settlement.bridge.cost += 1;
        _expectMismatch(request);
        request.settlement.bridge.cost -= 1;
        request.settlement.bridge.dstChainId += 1;
        _expectMismatch(request);
        request.settlement.bridge.dstChainId -= 1;
        request.settlement.bridge.dstToken = stranger;
        _expectMismatch(request);
        request.settlement.bridge.dstToken = address(0xD011A5);
        request.settlement.bridge.isNative = true;
        _expectMismatch(request);
    }

    /// @dev Even an operator can execute an intent-bound permit only with its intent.
    function _expectMismatch(ICredits.RedeemRequest memory request) private {
        bytes32 expected = credits.intentNonce(
            bytes12(request.permit.nonce),
            request.permit.customerWallet,
            credits.hashSettlement(request.settlement),
            request.intent
        );
        _expectRedeemReverts(
            request, abi.encodeWithSelector(ICredits.IntentMismatch.selector, request.permit.nonce, expected)
        );
    }

    // Random nonces

    function _randomNonce() private returns (ICredits.RedeemRequest memory request) {
        request = _request(_token(receiver), DOLLAR, 0, 0);
        request.intent.salt = 0;
        request.permit.nonce = bytes32(uint256(keccak256("unbound")) >> 1);
        _sign(request);
    }

    function test_redeemRandomNonce_byOperator() public {
        _allowRandomNonces();
        vm.assertTrue(credits.randomNoncePermitsAllowed(SEED));
        assertFalse(credits.randomNoncePermitsAllowed("another"));
        _redeem(_randomNonce());
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
    }

    function test_redeemRandomNonce_revertsWhenSeedDoesNotAllow() public {
        _expectRedeemReverts(
            _randomNonce(), abi.encodeWithSelector(ICredits.RandomNoncePermitNotAllowed.selector, SEED, operator)
        );
    }

    function test_redeemRandomNonce_revertsWhenNotOperator() public {
        _allowRandomNonces();
        ICredits.RedeemRequest memory request = _randomNonce();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ICredits.RandomNoncePermitNotAllowed.selector, SEED, stranger));
        credits.redeem(request);
    }

    function test_redeemRandomNonce_revertsWhenSalted() public {
        _allowRandomNonces();
        ICredits.RedeemRequest memory request = _randomNonce();
        request.intent.salt = bytes32(uint256(1));
        _expectRedeemReverts(request, abi.encodeWithSelector(ICredits.SaltNotAllowed.selector, bytes32(uint256(1))));
    }

    function test_redeem_revertsWhenIntentBoundBitIsCleared() public {
        _allowRandomNonces();
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        request.permit.nonce = bytes32(uint256(request.permit.nonce) & ~(uint256(1) << 255));
        request.intent.salt = 0;
        _expectInvalid(request);
    }

    // Signature

    function test_redeem_revertsWhenPermitFieldDiffers() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        request.permit.amount += 1;
        _expectInvalid(request);
        request.permit.amount -= 1;
        request.permit.validBefore += 1;
        _expectInvalid(request);
        request.permit.validBefore -= 1;
        request.permit.creditSeed = "shop2";
        _expectInvalid(request);
        request.permit.creditSeed = SEED;
        request.permit.customerWallet = stranger;
        _bind(request);
        _expectInvalid(request);
    }

    function test_redeem_revertsWhenSignatureIsAnothers() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        request.permit.signature =
            _signature(uint256(keccak256("stranger")), credits.hashCreditsAuthorization(request.permit));
        _expectInvalid(request);
    }

    function test_redeem_revertsWhenSignatureIsNotCanonical() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(CUSTOMER_KEY, credits.hashCreditsAuthorization(request.permit));
        // v of 0 or 1; v of 29; high s; compact; too long; too short; empty
        request.permit.signature = abi.encodePacked(r, s, v - 27);
        _expectInvalid(request);
        request.permit.signature = abi.encodePacked(r, s, uint8(29));
        _expectInvalid(request);
        request.permit.signature =
            abi.encodePacked(r, bytes32(CURVE_ORDER - uint256(s)), v == 27 ? uint8(28) : uint8(27));
        _expectInvalid(request);
        request.permit.signature = abi.encodePacked(r, bytes32(uint256(s) | uint256(v - 27) << 255));
        _expectInvalid(request);
        request.permit.signature = abi.encodePacked(r, s, v, uint8(0));
        _expectInvalid(request);
        request.permit.signature = abi.encodePacked(r, s);
        _expectInvalid(request);
        request.permit.signature = "";
        _expectInvalid(request);
        request.permit.signature = abi.encodePacked(r, s, v);
        _redeem(request);
    }

    function test_redeem_revertsWhenOnAnotherChain() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        vm.chainId(1);
        _expectInvalid(request);
    }

    function test_redeem_revertsWhenForAnotherContract() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        credits = _newCredits(address(usdc), address(0));
        _expectInvalid(request);
    }

    function test_redeem_revertsWhenCustomerIsZero() public {
        ICredits.RedeemRequest memory request = _request(_token(receiver), DOLLAR, 0, 0);
        request.permit.customerWallet = address(0);
        _bind(request);
        _sign(request);
        _expectRedeemReverts(request, abi.encodeWithSelector(ICredits.ZeroAddress.selector, "customerWallet"));
    }

    function _expectInvalid(ICredits.RedeemRequest memory request) private {
        _expectRedeemReverts(
            request,
            abi.encodeWithSelector(
                ICredits.InvalidPermitSignature.selector,
                request.permit.customerWallet,
                credits.hashCreditsAuthorization(request.permit)
            )
        );
    }

    // Accounts with code

    function _ofWallet(address wallet) private returns (ICredits.RedeemRequest memory) {
        return _signedBy(wallet, _token(receiver), DOLLAR);
    }

    function test_redeem_smartWallet() public {
        address wallet = new SmartWalletFactory().createWallet(customer, 7);
        _redeem(_ofWallet(wallet));
        vm.assertEq(credits.creditsOf(SEED, wallet), 0);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
    }

    function test_redeem_revertsWhenSmartWalletHasAnotherOwner() public {
        _expectInvalid(_ofWallet(address(new SmartWallet(stranger))));
    }

    function test_redeem_revertsWhenWalletRefuses() public {
        _expectInvalid(_ofWallet(address(new RefusingWallet())));
        _expectInvalid(_ofWallet(address(new RevertingWallet())));
        // A contract without ERC-1271, and truncated return data
        _expectInvalid(_ofWallet(address(normalMerchant)));
        _expectInvalid(_ofWallet(address(new BombWallet(31))));
    }

    function test_redeem_copiesNoLongAnswerOfAWallet() public {
        ICredits.RedeemRequest memory request = _ofWallet(address(new BombWallet(500_000)));
        vm.prank(operator);
        credits.redeem(request);
        // The wallet's own memory costs about 530,000 gas. Copying the memory would double this.
        vm.assertLe(vm.lastCallGas().gasTotalUsed, 900_000);
    }

    function test_redeem_delegatedAccount() public {
        vm.setEvmVersion("prague");
        vm.signAndAttachDelegation(address(new SmartWallet(address(0))), CUSTOMER_KEY);
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        _redeem(request);
        vm.assertEq(customer.code.length, 23);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
    }

    /// @dev An account with code verifies its signatures itself. A signature by its key alone is not enough.
    function test_redeem_revertsWhenDelegateRefuses() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        vm.etch(customer, address(new RefusingWallet()).code);
        _expectInvalid(request);
    }

    function test_redeem_chainsOwnVerifier() public {
        MockVerifier verifier = new MockVerifier();
        credits = _newCredits(address(usdc), address(verifier));
        _grantMinter();
        _mintCredits(SEED, customer, 2 * DOLLAR);
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        request.permit.signature = "a signature of another kind";
        _expectInvalid(request);
        verifier.accept(customer, credits.hashCreditsAuthorization(request.permit), request.permit.signature);
        _redeem(request);
        // Signatures of plain keys are still accepted.
        _redeem(_signed(_token(receiver), DOLLAR));
        request = _signed(_token(receiver), DOLLAR);
        request.permit.signature = "";
        _expectInvalid(request);
    }

    /// @dev The verifier has a separate function for access keys. Signatures of 65 bytes are never passed to that function.
    function test_redeem_chainsOwnVerifier_accessKey() public {
        MockVerifier verifier = new MockVerifier();
        credits = _newCredits(address(usdc), address(verifier));
        _grantMinter();
        _mintCredits(SEED, customer, 2 * DOLLAR);
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        bytes memory inner = request.permit.signature;
        request.permit.signature = abi.encodePacked(bytes1(0x04), customer, inner);
        _expectInvalid(request);
        verifier.accept(customer, credits.hashCreditsAuthorization(request.permit), request.permit.signature);
        _redeem(request);
        request = _signed(_token(receiver), DOLLAR);
        request.permit.signature = abi.encodePacked(bytes1(0x04), new bytes(64));
        verifier.accept(customer, credits.hashCreditsAuthorization(request.permit), request.permit.signature);
        _redeem(request);
    }

    function test_redeem_revertsWhenVerifierReverts() public {
        credits = _newCredits(address(usdc), address(new RevertingVerifier()));
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        request.permit.signature = "";
        _expectInvalid(request);
    }

    /// @dev A signature is valid only if the verifier returns the word 1.
    function test_redeem_revertsWhenVerifierAnswersOddly() public {
        OddVerifier verifier = new OddVerifier();
        credits = _newCredits(address(usdc), address(verifier));
        _grantMinter();
        _mintCredits(SEED, customer, DOLLAR);
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        request.permit.signature = "";
        bytes[7] memory answers = [
            bytes(""),
            abi.encode(0),
            abi.encode(2),
            abi.encode(type(uint256).max),
            abi.encode(1 << 255),
            abi.encodePacked(uint248(1)),
            abi.encode(0, 1)
        ];
        for (uint256 i = 0; i < answers.length; ++i) {
            verifier.set(answers[i]);
            _expectInvalid(request);
        }
        verifier.set(abi.encode(1, 2));
        _redeem(request);
    }

    function _grantMinter() private {
        vm.startPrank(admin);
        credits.grantRole(credits.MINTER_ROLE(), minter);
        vm.stopPrank();
    }

    // Nonce

    /// @dev The customer signs two permits for the same intent with different fees. Only one of them can execute.
    function test_redeem_revertsWhenIntentWasRedeemedWithAnotherPermit() public {
        ICredits.RedeemRequest memory first = _signed(_token(receiver), DOLLAR);
        _redeem(first);
        first.permit.amount += 30_000;
        first.permit.validBefore += 60;
        _sign(first);
        vm.prank(operator);
        vm.expectPartialRevert(ICredits.OrderUsed.selector);
        credits.redeem(first);
    }

    // Cancel

    function test_cancel_whilePaused() public {
        vm.prank(admin);
        credits.pause();
        _cancel(bytes32(uint256(1)));
    }

    function test_cancel_bySmartWallet() public {
        SmartWallet wallet = new SmartWallet(customer);
        bytes32 digest = credits.hashCancelCreditsAuthorization(address(wallet), bytes32(uint256(1)));
        credits.cancelCreditsAuthorization(address(wallet), bytes32(uint256(1)), _signature(CUSTOMER_KEY, digest));
        vm.assertEq(uint256(_orderState(address(wallet), bytes32(uint256(1)))), 2);
    }

    function test_cancel_revertsWhenSignedForAnotherNonce() public {
        bytes memory signature = _cancelSignature(bytes32(uint256(1)));
        vm.expectRevert(
            abi.encodeWithSelector(
                ICredits.InvalidCancelSignature.selector,
                customer,
                credits.hashCancelCreditsAuthorization(customer, bytes32(uint256(2)))
            )
        );
        credits.cancelCreditsAuthorization(customer, bytes32(uint256(2)), signature);
    }

    function test_cancel_revertsWhenZeroWallet() public {
        vm.expectPartialRevert(ICredits.InvalidCancelSignature.selector);
        credits.cancelCreditsAuthorization(address(0), bytes32(uint256(2)), new bytes(65));
    }

    function test_cancel_revertsWhenRedeemed() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        _redeem(request);
        bytes memory signature = _cancelSignature(request.permit.nonce);
        vm.expectRevert(_orderUsed(customer, request.permit.nonce, ICredits.OrderState.Redeemed));
        credits.cancelCreditsAuthorization(customer, request.permit.nonce, signature);
    }

    function test_cancel_revertsWhenCancelled() public {
        _cancel(bytes32(uint256(1)));
        bytes memory signature = _cancelSignature(bytes32(uint256(1)));
        vm.expectPartialRevert(ICredits.OrderUsed.selector);
        credits.cancelCreditsAuthorization(customer, bytes32(uint256(1)), signature);
    }

    // Amounts

    function test_redeem_fee() public {
        // PROTOCOL.md 6.1: subtotal 10.00, USDC 4.00, gas fee 0.03
        _fund(customer, 4_000_000);
        ICredits.RedeemRequest memory request =
            _signed(_token(receiver), 10_000_000, 4_000_000, 30_000, ICredits.UsdcMethod.ReceiveV2);
        vm.assertEq(request.permit.amount, 6_030_000);
        vm.prank(operator);
        vm.expectEmit(address(credits));
        emit ICredits.Redeemed(
            customer,
            bytes12(request.permit.nonce),
            keccak256(bytes(request.permit.creditSeed)),
            request.permit.nonce,
            uint160(receiver),
            10_000_000 << 128 | 4_000_000,
            30_000
        );
        credits.redeem(request);
        vm.assertEq(usdc.balanceOf(receiver), 10_000_000);
        vm.assertEq(_customerCredits(), 1_000_000_000 - 6_030_000);
        vm.assertEq(credits.feesOwed(), 30_000);
        vm.assertEq(credits.surplus(), 0);
        _assertBacked();
    }

    function test_redeem_revertsWhenStrangerChargesFee() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR, 0, 1, ICredits.UsdcMethod.None);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ICredits.GasFeeNotAllowed.selector, stranger, 1));
        credits.redeem(request);
        // Without the fee, the stranger can relay the permit.
        request.gasFee = 0;
        vm.prank(stranger);
        credits.redeem(request);
        vm.assertEq(credits.feesOwed(), 0);
    }

    function test_redeem_revertsWhenFeeExceedsPermit() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR, 0, 30_000, ICredits.UsdcMethod.None);
        request.gasFee = 30_001;
        _expectRedeemReverts(
            request, abi.encodeWithSelector(ICredits.ExceedsAuthorized.selector, DOLLAR + 30_001, DOLLAR + 30_000)
        );
    }

    function test_redeem_revertsWhenFeeIsHuge() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        request.gasFee = type(uint256).max;
        _expectRedeemReverts(
            request, abi.encodeWithSelector(ICredits.ExceedsAuthorized.selector, type(uint256).max, DOLLAR)
        );
        request.gasFee = type(uint256).max - DOLLAR + 1;
        _expectRedeemReverts(
            request, abi.encodeWithSelector(ICredits.ExceedsAuthorized.selector, type(uint256).max, DOLLAR)
        );
    }

    /// @dev A permit for the maximum amount does not allow a fee of the maximum, because the customer lacks the credits.
    function test_redeem_revertsWhenPermitAndFeeAreHuge() public {
        ICredits.RedeemRequest memory request = _request(_token(receiver), DOLLAR, 0, 0);
        request.permit.amount = type(uint256).max;
        request.gasFee = type(uint256).max;
        _bind(request);
        _sign(request);
        _expectRedeemReverts(
            request,
            abi.encodeWithSelector(
                ICredits.InsufficientCredits.selector, SEED, customer, 1000 * DOLLAR, type(uint256).max
            )
        );
    }

    function test_redeem_revertsWhenAmountIsHuge() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), type(uint256).max);
        _expectRedeemReverts(
            request,
            abi.encodeWithSelector(
                ICredits.InsufficientCredits.selector, SEED, customer, 1000 * DOLLAR, type(uint256).max
            )
        );
    }

    function test_redeem_revertsWhenAmountIsZero() public {
        _expectRedeemReverts(_signed(_token(receiver), 0), abi.encodeWithSelector(ICredits.ZeroAmount.selector));
    }

    function test_redeem_revertsWhenPermitIsTooSmall() public {
        ICredits.RedeemRequest memory request = _request(_token(receiver), DOLLAR, 0, 0);
        request.permit.amount = DOLLAR - 1;
        _bind(request);
        _sign(request);
        _expectRedeemReverts(request, abi.encodeWithSelector(ICredits.ExceedsAuthorized.selector, DOLLAR, DOLLAR - 1));
    }

    /// @dev The amount of a permit is a maximum. Only the price is charged.
    function test_redeem_chargesNoMoreThanNeeded() public {
        ICredits.RedeemRequest memory request = _request(_token(receiver), DOLLAR, 0, 0);
        request.permit.amount = 500 * DOLLAR;
        _bind(request);
        _sign(request);
        _redeem(request);
        vm.assertEq(_customerCredits(), 999 * DOLLAR);
    }

    function test_redeem_revertsWhenCreditsAreShort() public {
        _expectRedeemReverts(
            _signed(_token(receiver), 1000 * DOLLAR + 1),
            abi.encodeWithSelector(
                ICredits.InsufficientCredits.selector, SEED, customer, 1000 * DOLLAR, 1000 * DOLLAR + 1
            )
        );
        _redeem(_signed(_token(receiver), 1000 * DOLLAR));
        vm.assertEq(_customerCredits(), 0);
    }

    function test_redeem_revertsWhenCreditsAreOfAnotherSeed() public {
        ICredits.RedeemRequest memory request = _request(_token(receiver), DOLLAR, 0, 0);
        request.permit.creditSeed = "another";
        _bind(request);
        _sign(request);
        _expectRedeemReverts(
            request, abi.encodeWithSelector(ICredits.InsufficientCredits.selector, "another", customer, 0, DOLLAR)
        );
    }

    function test_redeem_revertsWhenPaused() public {
        vm.prank(admin);
        credits.pause();
        _expectRedeemReverts(_signed(_token(receiver), DOLLAR), abi.encodeWithSignature("EnforcedPause()"));
    }

    function testFuzz_redeem_charges(uint256 amount, uint256 usdcAmount, uint256 gasFee) public {
        amount = bound(amount, 1, 900 * DOLLAR);
        usdcAmount = bound(usdcAmount, 0, amount);
        gasFee = bound(gasFee, 0, 100 * DOLLAR);
        _fund(customer, usdcAmount + 1);
        ICredits.UsdcMethod method = usdcAmount == 0 ? ICredits.UsdcMethod.None : ICredits.UsdcMethod.ReceiveV2;
        _redeem(_signed(_token(receiver), amount, usdcAmount, gasFee, method));
        vm.assertEq(usdc.balanceOf(receiver), amount);
        vm.assertEq(usdc.balanceOf(customer), 1);
        vm.assertEq(_customerCredits(), 1000 * DOLLAR - (amount - usdcAmount) - gasFee);
        vm.assertEq(credits.feesOwed(), gasFee);
        vm.assertEq(credits.surplus(), 0);
    }
}
