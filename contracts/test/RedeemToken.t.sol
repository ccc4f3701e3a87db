// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {IEmergencyPause} from "../src/IEmergencyPause.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {Vm} from "./Test.sol";
import {SmartWallet} from "./mocks/Wallets.sol";

/// @title `redeemToken` equals `redeem` of a token settlement without a USDC part
contract RedeemTokenTest is CreditsFixture {
    ICredits.UsdcMethod private constant NONE = ICredits.UsdcMethod.None;

    function _expectReverts(ICredits.RedeemRequest memory request, address relayer, bytes memory reason) private {
        vm.prank(relayer);
        vm.expectRevert(reason);
        _redeemToken(request);
        vm.assertEq(uint256(_stateOf(request)), uint256(ICredits.OrderState.Unused));
    }

    function test_redeemToken_byAnyone() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        vm.prank(stranger);
        _redeemToken(request);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
        vm.assertEq(_customerCredits(), 999 * DOLLAR);
        vm.assertEq(uint256(_stateOf(request)), uint256(ICredits.OrderState.Redeemed));
        _assertBacked();
    }

    /// @dev Both functions produce the same logs and the same storage for any input.
    function testFuzz_redeemToken_isRedeem(uint256 amount, uint256 gasFee, address destination) public {
        amount = bound(amount, 1, 900 * DOLLAR);
        gasFee = bound(gasFee, 0, 100 * DOLLAR);
        vm.assume(destination != address(0) && destination != address(usdc) && destination != address(credits));
        vm.assume(!credits.isOwnContract(destination));
        ICredits.RedeemRequest memory request = _signed(_token(destination), amount, 0, gasFee, NONE);
        uint256 snapshot = vm.snapshotState();
        vm.recordLogs();
        _redeem(request);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        bytes32 books = _books(request, destination);
        vm.revertToState(snapshot);
        vm.recordLogs();
        vm.prank(operator);
        _redeemToken(request);
        Vm.Log[] memory own = vm.getRecordedLogs();
        vm.assertEq(keccak256(abi.encode(logs)), keccak256(abi.encode(own)), "logs");
        vm.assertEq(books, _books(request, destination), "books");
        vm.assertEq(own.length, 2);
    }

    function _books(ICredits.RedeemRequest memory request, address destination) private view returns (bytes32) {
        (ICredits.OrderState state, bytes20 commitment, uint40 timestamp) =
            credits.orderState(customer, bytes12(request.permit.nonce));
        return keccak256(
            abi.encode(
                _customerCredits(),
                credits.totalCredits(),
                credits.feesOwed(),
                usdc.balanceOf(destination),
                usdc.balanceOf(address(credits)),
                state,
                commitment,
                timestamp
            )
        );
    }

    function test_redeemToken_bySmartWallet() public {
        address wallet = address(new SmartWallet(customer));
        ICredits.RedeemRequest memory request = _signedBy(wallet, _token(receiver), DOLLAR);
        vm.prank(stranger);
        _redeemToken(request);
        vm.assertEq(credits.creditsOf(SEED, wallet), 0);
    }

    /// @dev Random nonces are refused even from an operator with a seed that allows them.
    function test_redeemToken_revertsWhenNonceIsRandom() public {
        _allowRandomNonces();
        ICredits.RedeemRequest memory request = _signedRandomNonce(_token(receiver), DOLLAR, 0, 0, NONE);
        _expectReverts(
            request, operator, abi.encodeWithSelector(ICredits.RandomNoncePermitNotAllowed.selector, SEED, operator)
        );
        request.intent.salt = bytes32(uint256(1));
        _expectReverts(
            request, operator, abi.encodeWithSelector(ICredits.RandomNoncePermitNotAllowed.selector, SEED, operator)
        );
        request.intent.salt = 0;
        _redeem(request);
    }

    function test_redeemToken_revertsWhenIntentDiffers() public {
        for (uint256 field = 0; field < 3; ++field) {
            ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
            if (field == 0) request.intent.amount -= 1;
            if (field == 1) request.intent.salt ^= bytes32(uint256(1));
            if (field == 2) request.settlement.target = stranger;
            bytes32 expected = credits.intentNonce(
                bytes12(request.permit.nonce), customer, credits.hashSettlement(request.settlement), request.intent
            );
            _expectReverts(
                request,
                operator,
                abi.encodeWithSelector(ICredits.IntentMismatch.selector, request.permit.nonce, expected)
            );
        }
    }

    /// @dev A permit for a different kind, or with a USDC part, is invalid for `redeemToken`.
    function test_redeemToken_revertsWhenSignedForAnotherRedeem() public {
        _fund(customer, DOLLAR);
        ICredits.RedeemRequest[2] memory requests =
            [_signed(_normal(DOLLAR), DOLLAR), _signed(_token(receiver), DOLLAR, 1, 0, ICredits.UsdcMethod.ReceiveV2)];
        requests[1].permit.amount += 1;
        _sign(requests[1]);
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(operator);
            vm.expectPartialRevert(ICredits.IntentMismatch.selector);
            _redeemToken(requests[i]);
        }
    }

    function test_redeemToken_revertsWhenPermitDiffers() public {
        for (uint256 field = 0; field < 4; ++field) {
            ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
            if (field == 0) ++request.permit.amount;
            if (field == 1) ++request.permit.validBefore;
            if (field == 2) request.permit.creditSeed = "another";
            if (field == 3) request.permit.signature[10] ^= 0x01;
            vm.prank(operator);
            vm.expectPartialRevert(ICredits.InvalidPermitSignature.selector);
            _redeemToken(request);
        }
    }

    function test_redeemToken_revertsWhenWalletIsZero() public {
        ICredits.RedeemRequest memory request = _request(_token(receiver), DOLLAR, 0, 0);
        request.permit.customerWallet = address(0);
        _bind(request);
        _sign(request);
        _expectReverts(request, operator, abi.encodeWithSelector(ICredits.ZeroAddress.selector, "customerWallet"));
    }

    function test_redeemToken_expiry() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        uint256 validBefore = request.permit.validBefore;
        for (uint256 late = 0; late < 2; ++late) {
            vm.warp(validBefore + late);
            _expectReverts(
                request,
                operator,
                abi.encodeWithSelector(ICredits.PermitExpired.selector, validBefore, validBefore + late)
            );
        }
        vm.warp(validBefore - 1);
        vm.prank(operator);
        _redeemToken(request);
    }

    function test_redeemToken_revertsWhenRepeated() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        vm.startPrank(stranger);
        _redeemToken(request);
        bytes memory used = _orderUsed(customer, request.permit.nonce, ICredits.OrderState.Redeemed);
        vm.expectRevert(used);
        _redeemToken(request);
        vm.expectRevert(used);
        credits.redeem(request);
        vm.stopPrank();
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
    }

    function test_redeemToken_fee() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR, 0, 30_000, NONE);
        _expectReverts(request, stranger, abi.encodeWithSelector(ICredits.GasFeeNotAllowed.selector, stranger, 30_000));
        request.gasFee = 30_001;
        _expectReverts(
            request,
            operator,
            abi.encodeWithSelector(ICredits.ExceedsAuthorized.selector, DOLLAR + 30_001, DOLLAR + 30_000)
        );
        request.gasFee = type(uint256).max;
        _expectReverts(
            request,
            operator,
            abi.encodeWithSelector(ICredits.ExceedsAuthorized.selector, type(uint256).max, DOLLAR + 30_000)
        );
        request.gasFee = 30_000;
        vm.prank(operator);
        _redeemToken(request);
        vm.assertEq(credits.feesOwed(), 30_000);
        vm.assertEq(_customerCredits(), 999 * DOLLAR - 30_000);
    }

    function test_redeemToken_revertsWhenAmountsDoNotFit() public {
        _expectReverts(_signed(_token(receiver), 0), operator, abi.encodeWithSelector(ICredits.ZeroAmount.selector));
        _expectReverts(
            _signed(_token(receiver), 1000 * DOLLAR + 1),
            operator,
            abi.encodeWithSelector(
                ICredits.InsufficientCredits.selector, SEED, customer, 1000 * DOLLAR, 1000 * DOLLAR + 1
            )
        );
    }

    function test_redeemToken_revertsWhenDestinationIsForbidden() public {
        address[2] memory forbidden = [address(usdc), address(credits)];
        for (uint256 i = 0; i < 2; ++i) {
            _expectReverts(
                _signed(_token(forbidden[i]), DOLLAR),
                operator,
                abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, forbidden[i])
            );
        }
        _expectReverts(
            _signed(_token(address(0)), DOLLAR),
            operator,
            abi.encodeWithSelector(ICredits.ZeroAddress.selector, "destination")
        );
    }

    function test_redeemToken_revertsWhenPaused() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        vm.prank(admin);
        credits.pause();
        _expectReverts(request, operator, abi.encodeWithSelector(IEmergencyPause.EnforcedPause.selector));
    }
}
