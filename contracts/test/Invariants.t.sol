// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CreditsHandler} from "./CreditsHandler.sol";
import {Test} from "./Test.sol";

contract InvariantsTest is Test {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    CreditsHandler private handler;

    function setUp() public {
        handler = new CreditsHandler();
    }

    /// @dev forge calls these functions of this contract.
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0].addr = address(handler);
        targets[0].selectors = handler.steps();
    }

    /// @dev Checks all invariants together, because one long campaign finds more than several short ones.
    function invariant_contractsMatchTheModel() external view {
        handler.checkBooks();
        handler.checkMoney();
        handler.checkTokens();
        handler.checkOrders();
        handler.checkBridge();
    }

    /// @dev The invariants prove something only if every kind of step sometimes succeeds and sometimes fails.
    function test_handler_reachesEveryStep() external {
        bytes4[] memory steps = handler.steps();
        for (uint256 i = 0; i < 100 * steps.length; ++i) {
            (bool success, bytes memory reason) =
                address(handler).call(abi.encodeWithSelector(steps[i % steps.length], i));
            vm.assertTrue(success, string(reason));
        }
        string[23] memory names = [
            "mint",
            "burn",
            "withdrawFees",
            "token",
            "normal",
            "safeMint",
            "safeMint1155",
            "returned",
            "known",
            "decent",
            "hostile",
            "hostileNft",
            "starved",
            "batch",
            "again",
            "cancel",
            "mined",
            "creditEarly",
            "delivered",
            "claim",
            "claimFor",
            "exit",
            "redeemToken"
        ];
        for (uint256 i = 0; i < names.length; ++i) {
            vm.assertTrue(handler.went(names[i]) > 0, names[i]);
            if (i != 16) vm.assertTrue(handler.refused(names[i]) > 0, names[i]);
        }
        vm.assertTrue(handler.refused("another attempt") > 0, "another attempt at a used order");
    }
}
