// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ForbiddenCalls} from "../src/ForbiddenCalls.sol";
import {ICredits} from "../src/ICredits.sol";
import {IEmergencyPause} from "../src/IEmergencyPause.sol";
import {Setup} from "../src/RoleGrant.sol";
import {CreditsFixture} from "./CreditsFixture.sol";

contract AdministrationTest is CreditsFixture {
    bytes32 private constant SEED_HASH = keccak256(bytes("shop"));

    // Mint and burn

    function test_mint() public {
        _fund(minter, 5);
        vm.startPrank(minter);
        usdc.approve(address(credits), 5);
        vm.expectEmit(address(credits));
        emit ICredits.Minted(SEED_HASH, stranger, SEED, 5);
        credits.mint(SEED, stranger, 5);
        vm.assertEq(credits.creditsOf(SEED, stranger), 5);
        vm.assertEq(credits.creditsOf("another", stranger), 0);
        vm.assertEq(credits.totalCredits(), 1000 * DOLLAR + 5);
    }

    function test_getCreditsBalance_isCreditsOf() public {
        _mintCredits(SEED, stranger, 5);
        vm.assertEq(credits.getCreditsBalance(stranger, SEED), 5);
        vm.assertEq(credits.getCreditsBalance(stranger, "another"), 0);
        vm.assertEq(credits.getCreditsBalance(customer, SEED), credits.creditsOf(SEED, customer));
    }

    function test_mint_revertsWhenNotMinter() public {
        _expectUnauthorized(credits.MINTER_ROLE());
        credits.mint(SEED, stranger, 5);
    }

    function test_mint_revertsWhenWalletIsZero() public {
        vm.prank(minter);
        vm.expectRevert(abi.encodeWithSelector(ICredits.ZeroAddress.selector, "wallet"));
        credits.mint(SEED, address(0), 5);
    }

    function test_mint_revertsWhenZero() public {
        vm.prank(minter);
        vm.expectRevert(abi.encodeWithSelector(ICredits.ZeroAmount.selector));
        credits.mint(SEED, stranger, 0);
    }

    function test_mint_revertsWhenNotPaidFor() public {
        vm.prank(minter);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "ERC20: transfer amount exceeds allowance"));
        credits.mint(SEED, stranger, 5);
    }

    /// @dev Surplus cannot pay for a mint.
    function test_mint_revertsWhenNothingArrives() public {
        _fund(address(credits), 5);
        vm.etch(address(usdc), hex"600160005260206000f3");
        vm.prank(minter);
        vm.expectRevert(abi.encodeWithSelector(ICredits.TransferredAmountMismatch.selector, 0, 5));
        credits.mint(SEED, stranger, 5);
    }

    /// @dev Credits and fees share one storage slot. Their sum must fit in 80 bits.
    function test_mint_revertsWhenTooMuch() public {
        uint256 most = type(uint80).max - 1000 * DOLLAR;
        _redeem(_signed(_token(receiver), DOLLAR, 0, 30_000, ICredits.UsdcMethod.None));
        most += DOLLAR;
        _fund(minter, most + 1);
        vm.startPrank(minter);
        usdc.approve(address(credits), type(uint256).max);
        vm.expectRevert(
            abi.encodeWithSelector(ICredits.TooManyCredits.selector, uint256(1) << 80, uint256(type(uint80).max))
        );
        credits.mint(SEED, stranger, most + 1);
        credits.mint(SEED, stranger, most);
        vm.stopPrank();
        vm.assertEq(credits.totalCredits() + credits.feesOwed(), type(uint80).max);
        vm.assertEq(credits.feesOwed(), 30_000);
        credits.withdrawFees();
        vm.assertEq(credits.totalCredits(), uint256(type(uint80).max) - 30_000);
        assertFalse(credits.paused());
    }

    function test_burn() public {
        vm.prank(minter);
        vm.expectEmit(address(credits));
        emit ICredits.Burned(SEED_HASH, customer, SEED, 5);
        credits.burn(SEED, customer, 5);
        vm.assertEq(usdc.balanceOf(customer), 5, "paid to the owner of the credits");
        vm.assertEq(_customerCredits(), 1000 * DOLLAR - 5);
        vm.assertEq(credits.totalCredits(), 1000 * DOLLAR - 5);
    }

    function test_burn_revertsWhenNotMinter() public {
        _expectUnauthorized(credits.MINTER_ROLE());
        credits.burn(SEED, customer, 5);
    }

    function test_burn_revertsWhenCreditsAreShort() public {
        vm.prank(minter);
        vm.expectRevert(
            abi.encodeWithSelector(
                ICredits.InsufficientCredits.selector, SEED, customer, 1000 * DOLLAR, 1000 * DOLLAR + 1
            )
        );
        credits.burn(SEED, customer, 1000 * DOLLAR + 1);
    }

    function test_burn_revertsWhenWrong() public {
        _mintCredits(SEED, address(credits), 5);
        vm.startPrank(minter);
        vm.expectRevert(abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, address(credits)));
        credits.burn(SEED, address(credits), 5);
        vm.expectRevert(abi.encodeWithSelector(ICredits.ZeroAmount.selector));
        credits.burn(SEED, customer, 0);
    }

    /// @dev If part of the backing is missing, a burn pays nothing.
    function test_burn_revertsWhenInsolvent() public {
        vm.prank(address(credits));
        usdc.transfer(stranger, 100);
        vm.prank(minter);
        vm.expectRevert(abi.encodeWithSelector(ICredits.Insolvent.selector, 1000 * DOLLAR - 105, 1000 * DOLLAR - 5));
        credits.burn(SEED, customer, 5);
        _expectRedeemReverts(
            _signed(_normal(5), 5),
            abi.encodeWithSelector(ICredits.Insolvent.selector, 1000 * DOLLAR - 105, 1000 * DOLLAR - 5)
        );
        vm.assertEq(credits.surplus(), 0);
        vm.expectRevert(abi.encodeWithSelector(ICredits.Insolvent.selector, 1000 * DOLLAR - 100, 1000 * DOLLAR));
        credits.withdrawFees();
    }

    // Fees

    function test_withdrawFees() public {
        _redeem(_signed(_token(receiver), DOLLAR, 0, 30_000, ICredits.UsdcMethod.None));
        _fund(address(credits), 7);
        vm.prank(stranger);
        vm.expectEmit(address(credits));
        emit ICredits.FeesWithdrawn(feeRecipient, 30_000);
        vm.assertEq(credits.withdrawFees(), 30_000);
        vm.assertEq(usdc.balanceOf(feeRecipient), 30_000);
        vm.assertEq(credits.feesOwed(), 0);
        vm.assertEq(credits.withdrawFees(), 0);
        vm.assertEq(credits.surplus(), 7);
        vm.assertEq(credits.totalCredits(), 999 * DOLLAR - 30_000);
    }

    function test_setFeeRecipient() public {
        vm.prank(admin);
        vm.expectEmit(address(credits));
        emit ICredits.FeeRecipientSet(stranger);
        credits.setFeeRecipient(stranger);
        vm.assertEq(credits.feeRecipient(), stranger);
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(ICredits.ZeroAddress.selector, "feeRecipient"));
        credits.setFeeRecipient(address(0));
        vm.expectRevert(abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, address(credits)));
        credits.setFeeRecipient(address(credits));
    }

    function test_setFeeRecipient_revertsWhenNotAdmin() public {
        _expectUnauthorized(bytes32(0));
        credits.setFeeRecipient(stranger);
    }

    // Whitelist

    function test_setWhitelist_emits() public {
        vm.startPrank(admin);
        vm.expectEmit(address(credits));
        emit ICredits.WhitelistSet(SEED_HASH, 1, stranger, SEED, 0x01020304, false, true, 9);
        credits.setWhitelist(SEED, 1, stranger, 0x01020304, false, true, 9);
        vm.expectEmit(address(credits));
        emit ICredits.WhitelistSet(SEED_HASH, 1, stranger, SEED, 0, true, true, 7);
        credits.setWhitelist(SEED, 1, stranger, 0x01020304, true, true, 7);
        vm.expectEmit(address(credits));
        emit ICredits.WhitelistSet(SEED_HASH, 1, stranger, SEED, 0, true, false, 0);
        credits.setWhitelist(SEED, 1, stranger, 0x01020304, true, false, 7);
        vm.expectEmit(address(credits));
        emit ICredits.RandomNoncePermitsSet(SEED_HASH, SEED, true);
        credits.setRandomNoncePermits(SEED, true);
    }

    function test_setWhitelist_revertsWhenWrong() public {
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(ICredits.ZeroAddress.selector, "target"));
        credits.setWhitelist(SEED, 1, address(0), 0, true, true, 1);
    }

    /// @dev Every relayer must supply a minimum gas. Otherwise, a merchant that catches its own failed delivery could keep the money.
    function test_setWhitelist_revertsWhenMinimumGasIsOutOfBounds() public {
        vm.startPrank(admin);
        uint256[4] memory wrong = [uint256(0), 16_000_001, uint256(1) << 64, type(uint256).max];
        for (uint256 i = 0; i < wrong.length; ++i) {
            vm.expectRevert(
                abi.encodeWithSelector(ICredits.MinimumGasOutOfBounds.selector, wrong[i], uint256(15_500_000))
            );
            credits.setWhitelist(SEED, 1, stranger, 0, true, true, wrong[i]);
        }
        credits.setWhitelist(SEED, 1, stranger, 0, true, true, 1);
        credits.setWhitelist(SEED, 1, stranger, 0, true, true, 15_500_000);
        (bool allowed, uint256 minimumGas) = credits.whitelisted(SEED, 1, stranger, 0x01020304);
        vm.assertTrue(allowed);
        vm.assertEq(minimumGas, 15_500_000);
        // An entry can be removed with a minimum of 0.
        credits.setWhitelist(SEED, 1, stranger, 0, true, false, 0);
        (allowed, minimumGas) = credits.whitelisted(SEED, 1, stranger, 0x01020304);
        assertFalse(allowed);
        vm.assertEq(minimumGas, 0);
    }

    function test_setWhitelist_revertsWhenEntryCannotRun() public {
        vm.startPrank(admin);
        address[4] memory targets = [address(usdc), address(credits), ForbiddenCalls.PERMIT2, address(adapter)];
        for (uint256 i = 0; i < targets.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, targets[i]));
            credits.setWhitelist(SEED, block.chainid, targets[i], 0, true, true, 1);
            vm.expectRevert(abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, targets[i]));
            credits.setWhitelist(SEED, DST_CHAIN, targets[i], 0, true, true, 1);
            credits.setWhitelist(SEED, DST_CHAIN, targets[i], 0, true, false, 0);
        }
        vm.expectRevert(abi.encodeWithSelector(ICredits.UnsupportedChain.selector, 0));
        credits.setWhitelist(SEED, 0, stranger, 0, true, true, 1);
        vm.expectRevert(abi.encodeWithSelector(ICredits.TargetWithoutCode.selector, stranger));
        credits.setWhitelist(SEED, block.chainid, stranger, 0, true, true, 1);
        vm.expectRevert(abi.encodeWithSelector(ICredits.ForbiddenSelector.selector, bytes4(0x095ea7b3)));
        credits.setWhitelist(SEED, block.chainid, address(normalMerchant), 0x095ea7b3, false, true, 1);
        // If the entry allows every selector, the selector argument is ignored.
        credits.setWhitelist(SEED, block.chainid, address(normalMerchant), 0x095ea7b3, true, true, 1);
    }

    function test_setWhitelist_revertsWhenNotAllowed() public {
        _expectUnauthorized(credits.WHITELIST_ROLE());
        credits.setWhitelist(SEED, 1, stranger, 0, true, true, 0);
        _expectUnauthorized(credits.WHITELIST_ROLE());
        credits.setRandomNoncePermits(SEED, true);
    }

    // Bridge adapter

    function test_setBridgeAdapter_revertsWhenWrong() public {
        _expectUnauthorized(bytes32(0));
        credits.setBridgeAdapter(address(adapter));
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(ICredits.TargetWithoutCode.selector, stranger));
        credits.setBridgeAdapter(stranger);
        vm.expectRevert(abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, address(usdc)));
        credits.setBridgeAdapter(address(usdc));
        vm.expectRevert(abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, address(credits)));
        credits.setBridgeAdapter(address(credits));
        vm.expectEmit(address(credits));
        emit ICredits.BridgeAdapterSet(address(0));
        credits.setBridgeAdapter(address(0));
    }

    // Pause

    function test_pause_stopsMoney() public {
        vm.prank(admin);
        vm.expectEmit(address(credits));
        emit IEmergencyPause.Paused(admin, NOW + 7 days);
        credits.pause();
        vm.assertTrue(credits.paused());
        vm.assertEq(credits.totalCredits(), 1000 * DOLLAR, "not changed by the pause");
        bytes memory paused = abi.encodeWithSignature("EnforcedPause()");
        vm.startPrank(minter);
        vm.expectRevert(paused);
        credits.mint(SEED, customer, 1);
        vm.expectRevert(paused);
        credits.burn(SEED, customer, 1);
        vm.expectRevert(paused);
        credits.withdrawFees();
        vm.stopPrank();
        ICredits.RedeemRequest memory request = _signed(_token(receiver), 1);
        vm.prank(operator);
        vm.expectRevert(paused);
        credits.creditEarlyAuthorization(SEED, _early(request));
        vm.prank(admin);
        vm.expectRevert(paused);
        credits.pause();
        vm.prank(admin);
        vm.expectEmit(address(credits));
        emit IEmergencyPause.Unpaused(admin);
        credits.unpause();
        assertFalse(credits.paused());
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IEmergencyPause.ExpectedPause.selector));
        credits.unpause();
        _redeem(_signed(_token(receiver), DOLLAR));
    }

    // Admin role

    function test_admin_inTwoSteps() public {
        vm.prank(admin);
        credits.beginDefaultAdminTransfer(stranger);
        vm.prank(stranger);
        vm.expectPartialRevert(bytes4(keccak256("AccessControlEnforcedDefaultAdminDelay(uint48)")));
        credits.acceptDefaultAdminTransfer();
        vm.warp(block.timestamp + 1 days + 1);
        vm.assertEq(credits.defaultAdmin(), admin);
        vm.prank(stranger);
        credits.acceptDefaultAdminTransfer();
        vm.assertEq(credits.defaultAdmin(), stranger);
        assertFalse(credits.hasRole(0x00, admin));
    }

    function test_admin_revertsWhenGrantedAtOnce() public {
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSignature("AccessControlEnforcedDefaultAdminRules()"));
        credits.grantRole(0x00, stranger);
    }

    function test_constructor_revertsWhenWrong() public {
        vm.expectRevert(abi.encodeWithSelector(ICredits.TargetWithoutCode.selector, address(0)));
        this.deploy(address(0), feeRecipient);
        vm.expectRevert(abi.encodeWithSelector(ICredits.TargetWithoutCode.selector, stranger));
        this.deploy(stranger, feeRecipient);
        vm.expectRevert(abi.encodeWithSelector(ICredits.ZeroAddress.selector, "feeRecipient"));
        this.deploy(address(usdc), address(0));
    }

    function test_constructor_needsNoBridgeAdapter() public {
        ICredits deployed = ICredits(this.deploy(address(usdc), feeRecipient));
        vm.assertEq(deployed.bridgeAdapter(), address(0));
        assertFalse(deployed.isOwnContract(address(0)));
    }

    function deploy(address token, address recipient) external returns (address) {
        Setup memory setup;
        return vm.deployCode("Credits.sol:Credits", abi.encode(token, admin, uint48(0), recipient, address(0), setup));
    }

    function _expectUnauthorized(bytes32 role) private {
        vm.prank(stranger);
        vm.expectRevert(_unauthorized(stranger, role));
    }
}
