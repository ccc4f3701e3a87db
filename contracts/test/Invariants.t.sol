// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CreditsHandler} from "./CreditsHandler.sol";
import {ICreditsContract} from "./Deployed.sol";
import {Test} from "./Test.sol";
import {MockUsdc} from "./mocks/MockUsdc.sol";

contract InvariantsTest is Test {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    CreditsHandler private handler;
    ICreditsContract private credits;
    MockUsdc private usdc;

    function setUp() public {
        handler = new CreditsHandler();
        (credits, usdc) = handler.contracts();
    }

    /// @dev forge asks whom to call, and what.
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0].addr = address(handler);
        targets[0].selectors = handler.steps();
    }

    /// @dev All of them after every step: one campaign reaches further than seven short ones.
    function invariant_booksAndNoncesHold() external view {
        _isSolvent();
        _everyUnitIsAccountedFor();
        _creditsAddUp();
        _noncesAreSingleUse();
        _nothingIsLeftBehind();
        _feesAreWhatWasCharged();
        _adapterGotWhatWasPaid();
    }

    function _isSolvent() private view {
        vm.assertGe(usdc.balanceOf(address(credits)), credits.totalCredits() + credits.feesOwed(), "backing");
    }

    /// @dev To the last raw unit: what is not owed is what was given, or landed early, and not credited.
    function _everyUnitIsAccountedFor() private view {
        uint256 owed = credits.totalCredits() + credits.feesOwed();
        vm.assertEq(usdc.balanceOf(address(credits)), owed + handler.gifts(), "every unit");
        vm.assertEq(credits.surplus(), handler.gifts(), "surplus");
    }

    function _creditsAddUp() private view {
        vm.assertEq(handler.sumOfCredits(), credits.totalCredits(), "sum of credits");
    }

    function _noncesAreSingleUse() private view {
        vm.assertTrue(!handler.replayed(), "replayed");
        vm.assertTrue(!handler.cancelledRedeemed(), "redeemed after cancelling");
    }

    function _nothingIsLeftBehind() private view {
        vm.assertEq(handler.leftBehind(), 0, "left behind");
    }

    function _feesAreWhatWasCharged() private view {
        vm.assertEq(credits.feesOwed() + handler.feesWithdrawn(), handler.feesCharged(), "fees");
        vm.assertTrue(!handler.overcharged(), "overcharged");
    }

    function _adapterGotWhatWasPaid() private view {
        vm.assertEq(handler.adapterBalance(), handler.bridged(), "adapter");
    }

    /// @dev The invariants mean something only if the handler's steps go through.
    function test_handler_reachesEveryStep() external {
        handler.mint(0, 500_000_000);
        handler.mint(1, 500_000_000);
        handler.mint(2, 500_000_000);
        handler.burn(0, 5);
        handler.redeemToken(0, 5, 2, 1, 2);
        handler.redeemNormal(1, 5_000_000, 2_000_000, 1_000_000, 3);
        handler.redeemSafeMint(2, 3, 5000, 4);
        handler.redeemReturned(0, 5000, 3);
        handler.redeemKnown(1, 5, 3);
        handler.redeemDecent(2, 5000, 4000, 1);
        for (uint256 mode = 0; mode < 8; ++mode) {
            handler.redeemHostile(0, mode, 5000, 1, 0);
        }
        vm.assertEq(handler.went("hostile"), 8);
        handler.batch(0, 7, 4, 1);
        handler.cancel(0, 7);
        handler.replay(0);
        handler.donate(5);
        handler.landEarly(2, 5);
        handler.creditEarly(0, 0);
        handler.creditEarly(1, 0);
        handler.withdrawFees();
        string[13] memory steps = [
            "mint",
            "burn",
            "token",
            "normal",
            "safeMint",
            "returned",
            "known",
            "decent",
            "batch",
            "cancel",
            "replay",
            "landEarly",
            "creditEarly"
        ];
        for (uint256 i = 0; i < steps.length; ++i) {
            vm.assertTrue(handler.went(steps[i]) > 0, steps[i]);
        }
    }
}
