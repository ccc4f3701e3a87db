// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Deploy} from "../script/Deploy.s.sol";
import {BridgeAdapter} from "../src/BridgeAdapter.sol";
import {Credits} from "../src/Credits.sol";
import {PaymentSettlement} from "../src/PaymentSettlement.sol";
import {Test} from "./Test.sol";

contract DeployTest is Test {
    address private constant USDC = address(0x05DC);
    address private constant ADMIN = address(0xAD);
    address private constant FEE_RECIPIENT = address(0xFE);
    address private constant OPERATOR = address(0x09);
    address private constant PAYMENT_OPERATOR = address(0x0A);
    address private constant BRIDGE_RELAYER = address(0xB1);
    address private constant MINTER = address(0x31);
    address private constant WHITELISTER = address(0x77);
    address private constant PAUSER = address(0x9A);
    address private constant TREASURER = address(0x7E);

    Deploy private script;
    Credits private credits;
    BridgeAdapter private adapter;
    PaymentSettlement private payments;

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
            paymentOperator: PAYMENT_OPERATOR,
            bridgeRelayer: BRIDGE_RELAYER,
            minter: MINTER,
            whitelister: WHITELISTER,
            pauser: PAUSER,
            treasurer: TREASURER,
            signatureVerifier: address(0)
        });
    }

    function _deploy() private {
        (credits, adapter, payments) = script.deploy(_plan());
    }

    function test_deploy_wires() public {
        _deploy();
        vm.assertEq(address(credits.usdc()), USDC);
        vm.assertEq(credits.feeRecipient(), FEE_RECIPIENT);
        vm.assertEq(credits.bridgeAdapter(), address(adapter));
        vm.assertEq(credits.signatureVerifier(), address(0));
        vm.assertEq(adapter.credits(), address(credits));
        vm.assertEq(adapter.usdc(), USDC);
        vm.assertTrue(credits.hasRole(credits.OPERATOR_ROLE(), OPERATOR));
        vm.assertTrue(credits.hasRole(credits.MINTER_ROLE(), MINTER));
        vm.assertTrue(credits.hasRole(credits.WHITELIST_ROLE(), WHITELISTER));
        vm.assertTrue(credits.hasRole(credits.PAUSER_ROLE(), PAUSER));
        vm.assertTrue(adapter.hasRole(adapter.RELAYER_ROLE(), BRIDGE_RELAYER));
        assertFalse(adapter.hasRole(adapter.RELAYER_ROLE(), OPERATOR));
        vm.assertTrue(adapter.hasRole(adapter.PAUSER_ROLE(), PAUSER));
        vm.assertTrue(adapter.hasRole(adapter.ROUTE_ROLE(), WHITELISTER));
        vm.assertTrue(adapter.hasRole(adapter.TREASURER_ROLE(), TREASURER));
    }

    function test_deploy_settlesPayments() public {
        _deploy();
        vm.assertEq(address(payments.credits()), address(credits));
        vm.assertEq(address(payments.usdc()), USDC);
        vm.assertTrue(credits.hasRole(credits.MINTER_ROLE(), address(payments)));
        vm.assertTrue(payments.hasRole(payments.OPERATOR_ROLE(), PAYMENT_OPERATOR));
        vm.assertTrue(payments.hasRole(payments.PAUSER_ROLE(), PAUSER));
        assertFalse(payments.hasRole(payments.OPERATOR_ROLE(), OPERATOR));
        // The code that escrows share is there.
        address escrow = payments.deployEscrow(ADMIN);
        vm.assertTrue(escrow.code.length != 0);
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
        payments.acceptDefaultAdminTransfer();
        vm.stopPrank();
        vm.assertEq(credits.defaultAdmin(), ADMIN);
        vm.assertEq(adapter.defaultAdmin(), ADMIN);
        vm.assertEq(payments.defaultAdmin(), ADMIN);
        assertFalse(payments.hasRole(bytes32(0), address(this)));
        assertFalse(payments.hasRole(payments.OPERATOR_ROLE(), address(this)));
        bytes32[5] memory roles = [
            bytes32(0), credits.OPERATOR_ROLE(), credits.MINTER_ROLE(), credits.WHITELIST_ROLE(), credits.PAUSER_ROLE()
        ];
        bytes32[5] memory adapterRoles =
            [bytes32(0), adapter.RELAYER_ROLE(), adapter.ROUTE_ROLE(), adapter.TREASURER_ROLE(), adapter.PAUSER_ROLE()];
        for (uint256 i = 0; i < roles.length; ++i) {
            assertFalse(credits.hasRole(roles[i], address(this)));
            assertFalse(adapter.hasRole(adapterRoles[i], address(this)));
        }
    }

    /// @dev Nothing is executed before the admin says from where, and how much a day.
    function test_deploy_bridgesNothingYet() public {
        _deploy();
        vm.assertEq(adapter.dailyLimitOf(USDC), 0);
        vm.assertEq(adapter.remainingToday(USDC), 0);
        assertFalse(adapter.isSource(block.chainid, address(adapter)));
    }

    function test_deploy_revertsWhenDeployerHoldsRole() public {
        string[8] memory fields =
            ["admin", "operator", "bridgeRelayer", "minter", "whitelister", "pauser", "treasurer", "paymentOperator"];
        for (uint256 i = 0; i < fields.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(Deploy.DeployerHoldsRole.selector, fields[i]));
            script.deploy(_with(i, address(this)));
            vm.expectRevert(abi.encodeWithSelector(Deploy.MissingAddress.selector, fields[i]));
            script.deploy(_with(i, address(0)));
        }
    }

    function _with(uint256 index, address holder) private view returns (Deploy.Plan memory plan) {
        plan = _plan();
        if (index == 0) plan.admin = holder;
        if (index == 1) plan.operator = holder;
        if (index == 2) plan.bridgeRelayer = holder;
        if (index == 3) plan.minter = holder;
        if (index == 4) plan.whitelister = holder;
        if (index == 5) plan.pauser = holder;
        if (index == 6) plan.treasurer = holder;
        if (index == 7) plan.paymentOperator = holder;
    }

    /// @dev A delay that does not fit is refused, not cut to something short.
    function test_deploy_revertsWhenDelayIsTooLong() public {
        Deploy.Plan memory plan = _plan();
        plan.adminDelay = uint256(1) << 48;
        vm.expectRevert(
            abi.encodeWithSignature("SafeCastOverflowedUintDowncast(uint8,uint256)", uint256(48), uint256(1) << 48)
        );
        script.deploy(plan);
    }

    function test_deploy_revertsWhenIncomplete() public {
        Deploy.Plan memory plan = _plan();
        plan.usdc = address(0);
        vm.expectRevert(abi.encodeWithSelector(Deploy.MissingAddress.selector, "usdc"));
        script.deploy(plan);
        plan = _plan();
        plan.feeRecipient = address(0);
        vm.expectRevert(abi.encodeWithSelector(Deploy.MissingAddress.selector, "feeRecipient"));
        script.deploy(plan);
    }
}
