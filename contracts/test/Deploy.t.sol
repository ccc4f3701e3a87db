// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Deploy} from "../script/Deploy.s.sol";
import {BridgeAdapter} from "../src/BridgeAdapter.sol";
import {Credits} from "../src/Credits.sol";
import {Test} from "./Test.sol";

contract DeployTest is Test {
    address private constant USDC = address(0x05DC);
    address private constant ADMIN = address(0xAD);
    address private constant FEE_RECIPIENT = address(0xFE);
    address private constant OPERATOR = address(0x09);
    address private constant MINTER = address(0x31);
    address private constant WHITELISTER = address(0x77);
    address private constant PAUSER = address(0x9A);
    address private constant TREASURER = address(0x7E);

    Deploy private script;
    Credits private credits;
    BridgeAdapter private adapter;

    function setUp() public {
        vm.warp(1_800_000_000);
        vm.etch(USDC, hex"00");
        script = new Deploy();
    }

    function _plan() private view returns (Deploy.Plan memory) {
        return Deploy.Plan({
            usdc: USDC,
            admin: ADMIN,
            adminDelay: 2 days,
            feeRecipient: FEE_RECIPIENT,
            operator: OPERATOR,
            minter: MINTER,
            whitelister: WHITELISTER,
            pauser: PAUSER,
            treasurer: TREASURER,
            signatureVerifier: address(0)
        });
    }

    function _deploy() private {
        (credits, adapter) = script.deploy(_plan());
    }

    function test_deploy_wires() public {
        _deploy();
        vm.assertEq(credits.usdc(), USDC);
        vm.assertEq(credits.feeRecipient(), FEE_RECIPIENT);
        vm.assertEq(credits.bridgeAdapter(), address(adapter));
        vm.assertEq(credits.signatureVerifier(), address(0));
        vm.assertEq(adapter.credits(), address(credits));
        vm.assertEq(adapter.usdc(), USDC);
        vm.assertTrue(credits.hasRole(credits.OPERATOR_ROLE(), OPERATOR));
        vm.assertTrue(credits.hasRole(credits.MINTER_ROLE(), MINTER));
        vm.assertTrue(credits.hasRole(credits.WHITELIST_ROLE(), WHITELISTER));
        vm.assertTrue(credits.hasRole(credits.PAUSER_ROLE(), PAUSER));
        vm.assertTrue(adapter.hasRole(adapter.RELAYER_ROLE(), OPERATOR));
        vm.assertTrue(adapter.hasRole(adapter.ROUTE_ROLE(), WHITELISTER));
        vm.assertTrue(adapter.hasRole(adapter.TREASURER_ROLE(), TREASURER));
    }

    function test_deploy_handsOver() public {
        _deploy();
        vm.assertEq(credits.defaultAdmin(), address(this));
        vm.startPrank(ADMIN);
        vm.expectPartialRevert(bytes4(keccak256("AccessControlEnforcedDefaultAdminDelay(uint48)")));
        credits.acceptDefaultAdminTransfer();
        vm.warp(block.timestamp + 2 days + 1);
        credits.acceptDefaultAdminTransfer();
        adapter.acceptDefaultAdminTransfer();
        vm.stopPrank();
        vm.assertEq(credits.defaultAdmin(), ADMIN);
        vm.assertEq(adapter.defaultAdmin(), ADMIN);
        bytes32[5] memory roles = [
            bytes32(0), credits.OPERATOR_ROLE(), credits.MINTER_ROLE(), credits.WHITELIST_ROLE(), credits.PAUSER_ROLE()
        ];
        for (uint256 i = 0; i < roles.length; ++i) {
            vm.assertTrue(!credits.hasRole(roles[i], address(this)));
        }
        vm.assertTrue(!adapter.hasRole(bytes32(0), address(this)));
    }

    function test_deploy_revertsWhenIncomplete() public {
        Deploy.Plan memory plan = _plan();
        plan.pauser = address(0);
        vm.expectRevert(abi.encodeWithSelector(Deploy.MissingAddress.selector, "pauser"));
        script.deploy(plan);
    }
}
