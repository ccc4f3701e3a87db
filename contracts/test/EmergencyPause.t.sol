// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {IEmergencyPause} from "../src/IEmergencyPause.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {SmartWallet} from "./mocks/Wallets.sol";

/// @dev Tests the pause of the credits contract: who can start it, how it ends, and how customers leave.
contract EmergencyPauseTest is CreditsFixture {
    address private immutable pauser = _person("pauser");
    address private immutable secondPauser = _person("second pauser");

    function setUp() public override {
        super.setUp();
        vm.startPrank(admin);
        credits.grantRole(credits.PAUSER_ROLE(), pauser);
        credits.grantRole(credits.PAUSER_ROLE(), secondPauser);
        vm.stopPrank();
    }

    // Start and end

    function test_pause_endsByItself() public {
        vm.prank(pauser);
        vm.expectEmit(address(credits));
        emit IEmergencyPause.Paused(pauser, NOW + 7 days);
        credits.pause();
        vm.assertEq(credits.pausedUntil(), NOW + 7 days);
        vm.warp(NOW + 7 days - 1);
        vm.assertTrue(credits.paused());
        _expectRedeemReverts(
            _signed(_token(receiver), DOLLAR), abi.encodeWithSelector(IEmergencyPause.EnforcedPause.selector)
        );
        vm.warp(NOW + 7 days);
        assertFalse(credits.paused());
        vm.assertEq(credits.exitOpensAt(), 0);
        _redeem(_signed(_token(receiver), DOLLAR));
        vm.assertEq(
            credits.totalCredits(), 999 * DOLLAR, "the end of the pause, in the same slot, does not change the total"
        );
        vm.assertEq(credits.pausedUntil(), NOW + 7 days);
    }

    function test_pause_usesUpTheRole() public {
        vm.startPrank(pauser);
        credits.pause();
        assertFalse(credits.hasRole(credits.PAUSER_ROLE(), pauser));
        vm.warp(NOW + 7 days);
        _expectUnauthorized(pauser, credits.PAUSER_ROLE());
        credits.pause();
    }

    /// @dev The admin needs the pauser role for `pause`, but not for `pauseUntil`.
    function test_pause_usesUpTheRoleOfTheAdmin() public {
        vm.startPrank(admin);
        credits.pause();
        assertFalse(credits.hasRole(credits.PAUSER_ROLE(), admin));
        credits.unpause();
        _expectUnauthorized(admin, credits.PAUSER_ROLE());
        credits.pause();
    }

    /// @dev A second pauser cannot make the pause longer, and keeps the role.
    function test_pause_revertsWhenPaused() public {
        vm.prank(pauser);
        credits.pause();
        vm.warp(NOW + 1 days);
        vm.prank(secondPauser);
        vm.expectRevert(abi.encodeWithSelector(IEmergencyPause.EnforcedPause.selector));
        credits.pause();
        vm.assertEq(credits.pausedUntil(), NOW + 7 days);
        vm.assertTrue(credits.hasRole(credits.PAUSER_ROLE(), secondPauser));
    }

    function test_pause_revertsWhenNotPauser() public {
        vm.startPrank(stranger);
        _expectUnauthorized(stranger, credits.PAUSER_ROLE());
        credits.pause();
    }

    function test_pauseUntil_extends() public {
        vm.prank(pauser);
        credits.pause();
        vm.startPrank(admin);
        vm.expectEmit(address(credits));
        emit IEmergencyPause.Paused(admin, NOW + 30 days);
        credits.pauseUntil(uint40(NOW + 30 days));
        vm.warp(NOW + 30 days - 1);
        vm.assertTrue(credits.paused());
        vm.assertEq(credits.exitOpensAt(), NOW + 3 days, "the 3 days count from the first pause");
        vm.warp(NOW + 30 days);
        assertFalse(credits.paused());
    }

    function test_pauseUntil_shortens() public {
        vm.startPrank(admin);
        credits.pauseUntil(type(uint40).max);
        vm.assertEq(
            credits.totalCredits(),
            1000 * DOLLAR,
            "the largest end of a pause, in the same slot, does not change the total"
        );
        vm.assertEq(credits.feesOwed(), 0);
        credits.pauseUntil(uint40(NOW + 1));
        vm.assertEq(credits.pausedUntil(), NOW + 1);
        vm.assertEq(credits.totalCredits(), 1000 * DOLLAR);
    }

    function test_pauseUntil_revertsWhenOver() public {
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(IEmergencyPause.PauseAlreadyOver.selector, NOW, NOW));
        credits.pauseUntil(uint40(NOW));
    }

    /// @dev A pauser can neither extend nor lift a pause.
    function test_pauseUntil_revertsWhenNotAdmin() public {
        vm.startPrank(pauser);
        credits.pause();
        _expectUnauthorized(pauser, bytes32(0));
        credits.pauseUntil(uint40(NOW + 8 days));
        _expectUnauthorized(pauser, bytes32(0));
        credits.unpause();
        vm.stopPrank();
        vm.startPrank(secondPauser);
        _expectUnauthorized(secondPauser, bytes32(0));
        credits.unpause();
    }

    function test_unpause_revertsWhenOver() public {
        vm.prank(pauser);
        credits.pause();
        vm.warp(NOW + 7 days);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IEmergencyPause.ExpectedPause.selector));
        credits.unpause();
    }

    // When customers can leave

    function test_exit_opensAfterThreeDays() public {
        vm.prank(pauser);
        credits.pause();
        vm.assertEq(credits.exitOpensAt(), NOW + 3 days);
        _expectExitClosed(NOW + 3 days);
        vm.warp(NOW + 3 days - 1);
        _expectExitClosed(NOW + 3 days);
        vm.warp(NOW + 3 days);
        _leave(400 * DOLLAR);
        vm.assertEq(usdc.balanceOf(customer), 400 * DOLLAR);
        vm.assertEq(_customerCredits(), 600 * DOLLAR);
        vm.assertEq(credits.totalCredits(), 600 * DOLLAR);
        _assertBacked();
    }

    function test_exit_isOpenWithoutAPause() public {
        vm.assertEq(credits.exitOpensAt(), 0);
        _leave(DOLLAR);
        vm.prank(pauser);
        credits.pause();
        vm.warp(NOW + 7 days - 1);
        _leave(DOLLAR);
        vm.warp(NOW + 7 days);
        vm.assertEq(credits.exitOpensAt(), 0);
        _leave(DOLLAR);
        vm.assertEq(usdc.balanceOf(customer), 3 * DOLLAR);
    }

    /// @dev The admin cannot close the exit by front-running the customer's transaction.
    function test_exit_cannotBeClosedByAnAdminWhoComesFirst() public {
        vm.startPrank(admin);
        credits.pauseUntil(uint40(NOW + 4 days));
        vm.warp(NOW + 3 days);
        credits.unpause();
        vm.stopPrank();
        _leave(DOLLAR);
        vm.prank(admin);
        credits.pauseUntil(uint40(NOW + 30 days));
        _leave(DOLLAR);
        vm.assertEq(usdc.balanceOf(customer), 2 * DOLLAR);
    }

    /// @dev Further pauses do not delay the exit, regardless of the account that starts them.
    function test_exit_isNotDelayedByFurtherPauses() public {
        vm.prank(pauser);
        credits.pause();
        vm.warp(NOW + 2 days);
        vm.startPrank(admin);
        credits.unpause();
        credits.pauseUntil(uint40(NOW + 4 days));
        vm.stopPrank();
        vm.assertEq(credits.exitOpensAt(), NOW + 3 days);
        vm.warp(NOW + 4 days);
        assertFalse(credits.paused());
        // Between the pauses, the contract is unpaused for less than three days.
        vm.warp(NOW + 7 days - 1);
        vm.prank(secondPauser);
        credits.pause();
        vm.assertEq(credits.exitOpensAt(), NOW + 3 days);
        _leave(DOLLAR);
    }

    function test_exit_countsFromTheNewPauseAfterThreeOpenDays() public {
        vm.prank(pauser);
        credits.pause();
        vm.warp(NOW + 10 days);
        vm.prank(secondPauser);
        credits.pause();
        vm.assertEq(credits.exitOpensAt(), NOW + 13 days);
    }

    // What the exit pays, and who must sign

    function test_burnBySignature_digest() public view {
        bytes32 typehash = keccak256(
            "BurnCredits(address customerWallet,string creditSeed,uint256 amount,uint256 validBefore,uint256 nonce)"
        );
        bytes32 structHash =
            keccak256(abi.encode(typehash, customer, keccak256(bytes(SEED)), DOLLAR, NOW + 60, uint256(0)));
        vm.assertEq(
            credits.hashBurnCredits(customer, SEED, DOLLAR, NOW + 60),
            keccak256(abi.encodePacked("\x19\x01", _domainSeparator("Credits", address(credits)), structHash))
        );
    }

    function test_burnBySignature_anyoneRelays() public {
        uint256 validBefore = _open();
        bytes memory signature = _burnSignature(DOLLAR, validBefore);
        vm.prank(stranger);
        vm.expectEmit(address(credits));
        emit ICredits.Burned(keccak256(bytes(SEED)), customer, SEED, DOLLAR);
        credits.burnBySignature(customer, SEED, DOLLAR, validBefore, signature);
        vm.assertEq(usdc.balanceOf(stranger), 0);
        vm.assertEq(usdc.balanceOf(customer), DOLLAR);
        vm.assertEq(credits.burnNonce(customer), 1);
    }

    function test_burnBySignature_revertsWhenUsed() public {
        uint256 validBefore = _open();
        bytes memory signature = _burnSignature(DOLLAR, validBefore);
        credits.burnBySignature(customer, SEED, DOLLAR, validBefore, signature);
        bytes32 next = credits.hashBurnCredits(customer, SEED, DOLLAR, validBefore);
        vm.expectRevert(abi.encodeWithSelector(ICredits.InvalidBurnSignature.selector, customer, next));
        credits.burnBySignature(customer, SEED, DOLLAR, validBefore, signature);
    }

    function test_burnBySignature_revertsWhenAFieldDiffers() public {
        _mintCredits("cafe", customer, DOLLAR);
        uint256 validBefore = _open();
        bytes memory signature = _burnSignature(DOLLAR, validBefore);
        _expectInvalid(stranger, SEED, DOLLAR, validBefore, signature);
        _expectInvalid(customer, "cafe", DOLLAR, validBefore, signature);
        _expectInvalid(customer, SEED, DOLLAR + 1, validBefore, signature);
        _expectInvalid(customer, SEED, DOLLAR, validBefore + 1, signature);
        // A permit's signature is invalid for the exit.
        ICredits.RedeemRequest memory request = _signed(_token(customer), DOLLAR);
        _expectInvalid(customer, SEED, DOLLAR, request.permit.validBefore, request.permit.signature);
    }

    function test_burnBySignature_revertsWhenExpired() public {
        uint256 validBefore = _open();
        bytes memory signature = _burnSignature(DOLLAR, validBefore);
        vm.warp(validBefore);
        vm.expectRevert(abi.encodeWithSelector(ICredits.PermitExpired.selector, validBefore, validBefore));
        credits.burnBySignature(customer, SEED, DOLLAR, validBefore, signature);
        vm.warp(validBefore - 1);
        credits.burnBySignature(customer, SEED, DOLLAR, validBefore, signature);
    }

    function test_burnBySignature_revertsWhenCreditsAreShort() public {
        uint256 validBefore = _open();
        uint256 much = 1000 * DOLLAR + 1;
        bytes memory signature = _burnSignature(much, validBefore);
        vm.expectRevert(
            abi.encodeWithSelector(ICredits.InsufficientCredits.selector, SEED, customer, 1000 * DOLLAR, much)
        );
        credits.burnBySignature(customer, SEED, much, validBefore, signature);
        signature = _burnSignature(0, validBefore);
        vm.expectRevert(abi.encodeWithSelector(ICredits.ZeroAmount.selector));
        credits.burnBySignature(customer, SEED, 0, validBefore, signature);
        vm.assertEq(credits.burnNonce(customer), 0);
    }

    /// @dev If the exit paid without full backing, the last customers would lose the amount that the first ones received.
    function test_burnBySignature_revertsWhenInsolvent() public {
        uint256 validBefore = _open();
        vm.prank(address(credits));
        usdc.transfer(stranger, 1);
        bytes memory signature = _burnSignature(DOLLAR, validBefore);
        vm.expectRevert(abi.encodeWithSelector(ICredits.Insolvent.selector, 999 * DOLLAR - 1, 999 * DOLLAR));
        credits.burnBySignature(customer, SEED, DOLLAR, validBefore, signature);
        _fund(address(credits), 1);
        credits.burnBySignature(customer, SEED, DOLLAR, validBefore, signature);
    }

    function test_burnBySignature_smartWallet() public {
        address wallet = address(new SmartWallet(customer));
        _mintCredits(SEED, wallet, 5);
        uint256 validBefore = _open();
        bytes memory signature = _signature(CUSTOMER_KEY, credits.hashBurnCredits(wallet, SEED, 5, validBefore));
        credits.burnBySignature(wallet, SEED, 5, validBefore, signature);
        vm.assertEq(usdc.balanceOf(wallet), 5);
    }

    // Totals

    function test_solvency_tellsShortageFromSurplus() public {
        (uint256 excess, uint256 shortage) = credits.solvency();
        vm.assertEq(excess, 0);
        vm.assertEq(shortage, 0);
        _fund(address(credits), 7);
        (excess, shortage) = credits.solvency();
        vm.assertEq(excess, 7);
        vm.assertEq(shortage, 0);
        vm.prank(address(credits));
        usdc.transfer(stranger, 12);
        (excess, shortage) = credits.solvency();
        vm.assertEq(excess, 0);
        vm.assertEq(shortage, 5);
    }

    /// @dev The pause shares a slot with the totals and does not change them.
    function testFuzz_pause_leavesTheTotals(uint256 credited, uint256 fee, uint40 until) public {
        credited = bound(credited, 1, type(uint80).max - 2000 * DOLLAR);
        fee = bound(fee, 0, 999 * DOLLAR);
        if (until <= NOW) until = uint40(NOW + 1);
        _mintCredits("cafe", stranger, credited);
        _redeem(_signed(_token(receiver), DOLLAR, 0, fee, ICredits.UsdcMethod.None));
        vm.startPrank(admin);
        credits.pauseUntil(until);
        vm.assertEq(credits.pausedUntil(), until);
        vm.assertEq(credits.totalCredits(), credited + 999 * DOLLAR - fee);
        vm.assertEq(credits.feesOwed(), fee);
        credits.unpause();
        vm.assertEq(credits.pausedUntil(), NOW);
        vm.assertEq(credits.totalCredits(), credited + 999 * DOLLAR - fee);
        vm.assertEq(credits.feesOwed(), fee);
    }

    /// @return validBefore of the next signature
    function _open() private returns (uint256 validBefore) {
        vm.prank(pauser);
        credits.pause();
        vm.warp(NOW + 3 days);
        return NOW + 3 days + 60;
    }

    function _burnSignature(uint256 amount, uint256 validBefore) private view returns (bytes memory) {
        return _signature(CUSTOMER_KEY, credits.hashBurnCredits(customer, SEED, amount, validBefore));
    }

    function _leave(uint256 amount) private {
        uint256 validBefore = block.timestamp + 1;
        bytes memory signature = _burnSignature(amount, validBefore);
        vm.prank(stranger);
        credits.burnBySignature(customer, SEED, amount, validBefore, signature);
    }

    function _expectExitClosed(uint256 opensAt) private {
        bytes memory signature = _burnSignature(DOLLAR, block.timestamp + 60);
        vm.expectRevert(abi.encodeWithSelector(IEmergencyPause.ExitNotOpen.selector, opensAt));
        credits.burnBySignature(customer, SEED, DOLLAR, block.timestamp + 60, signature);
    }

    function _expectInvalid(
        address wallet,
        string memory seed,
        uint256 amount,
        uint256 validBefore,
        bytes memory signature
    ) private {
        bytes32 digest = credits.hashBurnCredits(wallet, seed, amount, validBefore);
        vm.expectRevert(abi.encodeWithSelector(ICredits.InvalidBurnSignature.selector, wallet, digest));
        credits.burnBySignature(wallet, seed, amount, validBefore, signature);
    }

    function _expectUnauthorized(address account, bytes32 role) private {
        vm.expectRevert(_unauthorized(account, role));
    }
}
