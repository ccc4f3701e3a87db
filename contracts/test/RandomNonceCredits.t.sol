// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {IEmergencyPause} from "../src/IEmergencyPause.sol";
import {Setup} from "../src/RoleGrant.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {ICreditsContract} from "./Deployed.sol";
import {Vm} from "./Test.sol";

/// @dev The tests of `Credits` cover the code that both contracts share.
contract RandomNonceCreditsTest is CreditsFixture {
    bytes32 private constant NONCE = bytes32(uint256(0x7968));
    bytes32 private constant NONCE_WITH_BIT_255 = bytes32(1 << 255 | uint256(0x7968));

    function _newCredits(address token, address signatureVerifier) internal override returns (ICreditsContract) {
        Setup memory setup;
        bytes memory arguments = abi.encode(token, admin, uint48(1 days), feeRecipient, signatureVerifier, setup);
        return ICreditsContract(vm.deployCode("RandomNonce.sol:RandomNonceCredits", arguments));
    }

    function _randomNonce(ICredits.Settlement memory settlement, uint256 amount, bytes32 nonce)
        private
        returns (ICredits.RedeemRequest memory)
    {
        return _randomNonce(settlement, amount, nonce, 0, 0, ICredits.UsdcMethod.None);
    }

    function _randomNonce(
        ICredits.Settlement memory settlement,
        uint256 amount,
        bytes32 nonce,
        uint256 usdcAmount,
        uint256 gasFee,
        ICredits.UsdcMethod method
    ) private returns (ICredits.RedeemRequest memory request) {
        request = _request(settlement, amount, usdcAmount, gasFee);
        request.intent.salt = 0;
        request.permit.nonce = nonce;
        _sign(request);
        _authorize(request, method);
    }

    function _expectReverts(ICredits.RedeemRequest memory request, bytes memory reason) private {
        vm.prank(operator);
        vm.expectRevert(reason);
        credits.redeem(request);
    }

    function testFuzz_redeem_takesAnyNonce(bytes32 nonce) public {
        _redeem(_randomNonce(_token(receiver), DOLLAR, nonce));
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
        vm.assertEq(_customerCredits(), 999 * DOLLAR);
        _assertBacked();
    }

    function test_redeem_settlesEveryShape() public {
        _openRoute();
        knownMerchant.list(7, DOLLAR);
        ICredits.Settlement[6] memory settlements =
            [_token(receiver), _normal(DOLLAR), _safeMint(1, DOLLAR), _returned(DOLLAR), _known(7), _decent(DOLLAR)];
        for (uint256 i = 0; i < 6; ++i) {
            _redeem(_randomNonce(settlements[i], DOLLAR, bytes32(i)));
        }
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
        vm.assertEq(normalMerchant.paidFor(receiver), DOLLAR);
        vm.assertEq(mint721.balanceOf(customer), 1);
        vm.assertEq(returnedMerchant.balanceOf(customer), 1);
        vm.assertEq(knownMerchant.ownerOf(7), customer);
        vm.assertEq(usdc.balanceOf(address(adapter)), DOLLAR);
        vm.assertEq(_customerCredits(), 994 * DOLLAR);
        _assertBacked();
    }

    function test_redeem_collectsUsdcByEveryMethod() public {
        _fund(customer, 4 * DOLLAR);
        for (uint256 i = 1; i <= 4; ++i) {
            ICredits.UsdcMethod method = ICredits.UsdcMethod(i);
            _redeem(_randomNonce(_token(receiver), 2 * DOLLAR, bytes32(i), DOLLAR, 10_000, method));
        }
        vm.assertEq(usdc.balanceOf(customer), 0);
        vm.assertEq(usdc.balanceOf(receiver), 8 * DOLLAR);
        vm.assertEq(credits.feesOwed(), 40_000);
        vm.assertEq(_customerCredits(), 996 * DOLLAR - 40_000);
        _assertBacked();
    }

    function test_redeem_refundsWhatWasNotPulled() public {
        _redeem(_randomNonce(_normal(DOLLAR), 3 * DOLLAR, NONCE));
        vm.assertEq(_customerCredits(), 999 * DOLLAR);
    }

    function test_redeem_revertsWhenNonceWasUsed() public {
        _redeem(_randomNonce(_token(receiver), DOLLAR, NONCE_WITH_BIT_255));
        _expectReverts(
            _randomNonce(_token(stranger), 2 * DOLLAR, NONCE_WITH_BIT_255),
            _orderUsed(customer, NONCE_WITH_BIT_255, ICredits.OrderState.Redeemed)
        );
    }

    /// @dev All 32 bytes identify the nonce; the first 12 are not an order key.
    function test_redeem_acceptsNoncesWithTheSameBeginning() public {
        _redeem(_randomNonce(_token(receiver), DOLLAR, NONCE_WITH_BIT_255));
        _redeem(_randomNonce(_token(receiver), DOLLAR, bytes32(uint256(NONCE_WITH_BIT_255) ^ 1)));
        vm.assertEq(usdc.balanceOf(receiver), 2 * DOLLAR);
    }

    /// @dev Any nonce can be credited early once, unless a redeem has collected its authorization.
    function test_early_takesAnyNonce() public {
        _fund(customer, 2 * DOLLAR);
        ICredits.RedeemRequest memory mined =
            _randomNonce(_token(receiver), DOLLAR, NONCE_WITH_BIT_255, DOLLAR, 0, ICredits.UsdcMethod.TransferV2);
        _executeEarly(mined);
        ICredits.RedeemRequest memory redeemed = _randomNonce(
            _token(receiver),
            DOLLAR,
            bytes32(uint256(NONCE_WITH_BIT_255) ^ 1),
            DOLLAR,
            0,
            ICredits.UsdcMethod.TransferV2
        );
        _redeem(redeemed);
        _fund(address(credits), DOLLAR);
        vm.startPrank(operator);
        credits.creditEarlyAuthorization(SEED, _early(mined));
        vm.assertEq(_customerCredits(), 1001 * DOLLAR);
        ICredits.RedeemRequest[2] memory done = [mined, redeemed];
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectRevert(
                abi.encodeWithSelector(ICredits.AuthorizationAlreadyCredited.selector, customer, done[i].permit.nonce)
            );
            credits.creditEarlyAuthorization(SEED, _early(done[i]));
        }
        vm.stopPrank();
    }

    function test_redeem_revertsWhenCallerIsNoOperator() public {
        ICredits.RedeemRequest memory request = _randomNonce(_token(receiver), DOLLAR, NONCE);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ICredits.RandomNoncePermitNotAllowed.selector, SEED, stranger));
        credits.redeem(request);
    }

    function test_redeem_revertsWhenAnythingSignedDiffers() public {
        for (uint256 field = 0; field < 5; ++field) {
            ICredits.RedeemRequest memory request = _randomNonce(_token(receiver), DOLLAR, NONCE);
            if (field == 0) request.permit.customerWallet = stranger;
            if (field == 1) request.permit.creditSeed = "other";
            if (field == 2) ++request.permit.amount;
            if (field == 3) ++request.permit.validBefore;
            if (field == 4) request.permit.nonce = NONCE_WITH_BIT_255;
            _expectReverts(
                request,
                abi.encodeWithSelector(
                    ICredits.InvalidPermitSignature.selector,
                    request.permit.customerWallet,
                    credits.hashCreditsAuthorization(request.permit)
                )
            );
        }
    }

    function test_redeem_revertsWhenExpired() public {
        ICredits.RedeemRequest memory request = _randomNonce(_token(receiver), DOLLAR, NONCE);
        vm.warp(request.permit.validBefore);
        _expectReverts(
            request,
            abi.encodeWithSelector(ICredits.PermitExpired.selector, request.permit.validBefore, block.timestamp)
        );
    }

    function test_redeem_revertsWhenMoreThanAuthorized() public {
        ICredits.RedeemRequest memory request = _randomNonce(_token(receiver), DOLLAR, NONCE);
        request.gasFee = 1;
        _expectReverts(request, abi.encodeWithSelector(ICredits.ExceedsAuthorized.selector, DOLLAR + 1, DOLLAR));
    }

    function test_redeem_revertsWhenAmountsContradict() public {
        ICredits.RedeemRequest memory request = _randomNonce(_token(receiver), DOLLAR, NONCE);
        request.intent.usdcAmount = DOLLAR + 1;
        _expectReverts(request, abi.encodeWithSelector(ICredits.UsdcAmountExceedsAmount.selector, DOLLAR + 1, DOLLAR));
        request.intent.amount = 0;
        _expectReverts(request, abi.encodeWithSelector(ICredits.ZeroAmount.selector));
    }

    function test_redeem_revertsWhenSaltIsGiven() public {
        ICredits.RedeemRequest memory request = _randomNonce(_token(receiver), DOLLAR, NONCE);
        request.intent.salt = bytes32(uint256(1));
        _expectReverts(request, abi.encodeWithSelector(ICredits.SaltNotAllowed.selector, bytes32(uint256(1))));
    }

    function test_redeem_revertsWhenPaused() public {
        vm.prank(admin);
        credits.pause();
        _expectReverts(
            _randomNonce(_token(receiver), DOLLAR, NONCE),
            abi.encodeWithSelector(IEmergencyPause.EnforcedPause.selector)
        );
    }

    /// @dev A redeem emits no event of the credits contract, only the token's.
    function test_redeem_emitsNothingOfItsOwn() public {
        ICredits.RedeemRequest memory request = _randomNonce(_token(receiver), DOLLAR, NONCE);
        vm.recordLogs();
        _redeem(request);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 1);
        vm.assertEq(logs[0].emitter, address(usdc));
    }

    function test_getCreditsBalance() public {
        (bool success, bytes memory answer) =
            address(credits).call(abi.encodeWithSignature("getCreditsBalance(address,string)", customer, SEED));
        vm.assertTrue(success);
        vm.assertEq(abi.decode(answer, (uint256)), 1000 * DOLLAR);
    }

    /// @dev The functions revert without data, as if they did not exist.
    function test_absentFunctions_revertWithoutData() public {
        ICredits.Permit memory permit;
        bytes[5] memory calls = [
            bytes(abi.encodeWithSignature("nobodyWroteThis()")),
            abi.encodeCall(ICredits.orderState, (customer, bytes12(NONCE))),
            abi.encodeCall(ICredits.redeemToken, (permit, DOLLAR, 0, 0, receiver)),
            abi.encodeCall(ICredits.cancelCreditsAuthorization, (customer, NONCE, "")),
            abi.encodeCall(ICredits.redeemBatch, (new bytes[](0), new uint256[](0)))
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory answer) = address(credits).call(calls[i]);
            assertFalse(success);
            vm.assertEq(answer.length, 0);
        }
    }
}
