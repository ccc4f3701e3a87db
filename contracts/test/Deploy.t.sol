// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Deploy} from "../script/Deploy.s.sol";
import {BridgeAdapter} from "../src/BridgeAdapter.sol";
import {BridgeExecutor} from "../src/BridgeExecutor.sol";
import {Create3Factory} from "../src/Create3Factory.sol";
import {Credits} from "../src/Credits.sol";
import {CreditsExtension} from "../src/CreditsExtension.sol";
import {CustomerEscrow} from "../src/CustomerEscrow.sol";
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
    address private constant FACTORY = 0x1f1FaE1d9cf032Ed793853cceB050924D0c4Cc0e;
    address private constant CUSTOMER = address(0xC0);

    Deploy private script;
    Credits private credits;
    BridgeAdapter private adapter;
    PaymentSettlement private payments;

    function setUp() public {
        vm.warp(1_800_000_000);
        vm.etch(USDC, hex"00");
        // With `new Deploy()`, this test would contain all deployed code and take a minute to compile.
        script = Deploy(vm.deployCode("Deploy.s.sol:Deploy", ""));
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
        (credits, adapter, payments) = script.deploy(_plan(), "1");
    }

    function test_deploy_connectsTheContracts() public {
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
        vm.assertTrue(adapter.hasRole(adapter.ROUTE_ROLE(), TREASURER));
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
        // The implementation of the escrows is deployed too.
        address escrow = payments.deployEscrow(ADMIN);
        vm.assertTrue(escrow.code.length != 0);
    }

    /// @dev The deployer never has a role, not even during the constructors.
    function test_deploy_givesTheDeployerNoRole() public {
        _deploy();
        vm.assertEq(credits.defaultAdmin(), ADMIN);
        vm.assertEq(adapter.defaultAdmin(), ADMIN);
        vm.assertEq(payments.defaultAdmin(), ADMIN);
        vm.assertEq(uint256(credits.defaultAdminDelay()), 2 days);
        vm.assertEq(uint256(adapter.defaultAdminDelay()), 2 days);
        vm.assertEq(uint256(payments.defaultAdminDelay()), 2 days);
        bytes32[9] memory roles = [
            bytes32(0),
            keccak256("OPERATOR_ROLE"),
            keccak256("MINTER_ROLE"),
            keccak256("WHITELIST_ROLE"),
            keccak256("PAUSER_ROLE"),
            keccak256("RELAYER_ROLE"),
            keccak256("ROUTE_ROLE"),
            keccak256("TREASURER_ROLE"),
            keccak256("DEFAULT_ADMIN_ROLE")
        ];
        address[3] memory nobody =
            [address(this), address(script), address(script.addressesOf(address(this), "1").factory)];
        for (uint256 i = 0; i < roles.length; ++i) {
            for (uint256 j = 0; j < nobody.length; ++j) {
                assertFalse(credits.hasRole(roles[i], nobody[j]));
                assertFalse(adapter.hasRole(roles[i], nobody[j]));
                assertFalse(payments.hasRole(roles[i], nobody[j]));
            }
        }
    }

    function test_deploy_refusesRedeemsToItsOwnParts() public {
        _deploy();
        vm.assertTrue(credits.isOwnContract(address(adapter)));
        vm.assertTrue(credits.isOwnContract(address(adapter.executor())));
        vm.assertTrue(credits.isOwnContract(address(payments)));
        vm.assertTrue(credits.isOwnContract(credits.extension()));
        address escrowCode = script.addressesOf(address(this), "1").escrowCode;
        vm.assertTrue(escrowCode.code.length != 0);
        vm.assertTrue(credits.isOwnContract(escrowCode));
        assertFalse(credits.isOwnContract(ADMIN));
    }

    /// @dev Chains with different settings have the same contract addresses and the same escrow addresses.
    function test_deploy_givesTheSameAddressesOnEveryChain() public {
        uint256 fresh = vm.snapshotState();
        _deploy();
        address[6] memory here = _places();
        vm.revertToState(fresh);
        vm.chainId(42_161);
        vm.etch(address(0x05DC2), hex"00");
        Deploy.Plan memory plan = _plan();
        plan.usdc = address(0x05DC2);
        plan.admin = address(0xAD2);
        plan.adminDelay = 5 days;
        plan.feeRecipient = address(0xFE2);
        plan.pauser = address(0x9A2);
        plan.signatureVerifier = address(0x51);
        (credits, adapter, payments) = script.deploy(plan, "1");
        address[6] memory there = _places();
        for (uint256 i = 0; i < here.length; ++i) {
            vm.assertEq(here[i], there[i]);
        }
        vm.assertEq(payments.deployEscrow(CUSTOMER), here[5]);
        vm.assertEq(address(credits.usdc()), address(0x05DC2));
    }

    function _places() private view returns (address[6] memory places) {
        places[0] = address(credits);
        places[1] = address(adapter);
        places[2] = address(adapter.executor());
        places[3] = address(payments);
        places[4] = credits.extension();
        places[5] = payments.escrowOf(CUSTOMER);
    }

    function test_deploy_matchesItsPlan() public {
        Deploy.Addresses memory said = script.addressesOf(address(this), "1");
        _deploy();
        vm.assertEq(address(credits), said.credits);
        vm.assertEq(address(adapter), said.adapter);
        vm.assertEq(address(adapter.executor()), said.executor);
        vm.assertEq(address(payments), said.payments);
        vm.assertEq(
            said.factory.addressOf(address(this), keccak256(abi.encode("redeemkit", "1", "Credits"))), said.credits
        );
    }

    /// @dev The addresses depend on the deployer, so no other account can take them.
    function test_deploy_bindsTheSaltToTheDeployer() public {
        Deploy.Addresses memory mine = script.addressesOf(address(this), "1");
        assertFalse(script.addressesOf(ADMIN, "1").credits == mine.credits);
        assertFalse(script.addressesOf(address(this), "2").credits == mine.credits);
        _deploy();
        bytes32 salt = keccak256(abi.encode("redeemkit", "2", "Credits"));
        vm.prank(ADMIN);
        // STOP is the shortest possible code.
        address taken = mine.factory.deploy(salt, hex"6001600c60003960016000f300");
        vm.assertEq(taken, script.addressesOf(ADMIN, "2").credits);
        script.deploy(_plan(), "2");
    }

    /// @dev Explorers compare forge's output with the deployed code. The code of a contract that another contract
    /// deploys was compiled with the deploying contract's settings.
    function test_artifacts_areWhatIsDeployed() public view {
        vm.assertEq(keccak256(vm.getCode("Credits.sol:Credits")), keccak256(type(Credits).creationCode));
        vm.assertEq(
            keccak256(vm.getCode("CreditsExtension.sol:CreditsExtension")),
            keccak256(type(CreditsExtension).creationCode)
        );
        vm.assertEq(
            keccak256(vm.getCode("BridgeExecutor.sol:BridgeExecutor")), keccak256(type(BridgeExecutor).creationCode)
        );
        vm.assertEq(
            keccak256(vm.getCode("CustomerEscrow.sol:CustomerEscrow")), keccak256(type(CustomerEscrow).creationCode)
        );
        vm.assertEq(
            keccak256(vm.getCode("Create3Factory.sol:Create3Factory")), keccak256(type(Create3Factory).creationCode)
        );
    }

    /// @dev A factory with different code would give different addresses. A new chain needs the same factory as earlier chains.
    function test_factory_isTheSameAsEver() public view {
        vm.assertEq(address(script.addressesOf(ADMIN, "1").factory), FACTORY);
    }

    function test_factory_reports() public {
        Create3Factory factory = new Create3Factory();
        vm.expectEmit(address(factory));
        emit Create3Factory.Deployed(address(this), "salt", factory.addressOf(address(this), "salt"));
        factory.deploy("salt", type(Create3Factory).creationCode);
    }

    function test_deploy_revertsWhenDeployed() public {
        _deploy();
        vm.expectRevert(abi.encodeWithSelector(Deploy.AlreadyDeployed.selector, "Credits", address(credits)));
        script.deploy(_plan(), "1");
    }

    /// @dev A new adapter executes nothing until the admin sets sources and daily limits.
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
            script.deploy(_with(i, address(this)), "1");
            vm.expectRevert(abi.encodeWithSelector(Deploy.MissingAddress.selector, fields[i]));
            script.deploy(_with(i, address(0)), "1");
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

    /// @dev A delay that does not fit in its type is rejected, not truncated.
    function test_deploy_revertsWhenDelayIsTooLong() public {
        Deploy.Plan memory plan = _plan();
        plan.adminDelay = uint256(1) << 48;
        vm.expectRevert(
            abi.encodeWithSignature("SafeCastOverflowedUintDowncast(uint8,uint256)", uint256(48), uint256(1) << 48)
        );
        script.deploy(plan, "1");
    }

    function test_deploy_revertsWhenIncomplete() public {
        Deploy.Plan memory plan = _plan();
        plan.usdc = address(0);
        vm.expectRevert(abi.encodeWithSelector(Deploy.MissingAddress.selector, "usdc"));
        script.deploy(plan, "1");
        plan = _plan();
        plan.feeRecipient = address(0);
        vm.expectRevert(abi.encodeWithSelector(Deploy.MissingAddress.selector, "feeRecipient"));
        script.deploy(plan, "1");
    }
}
