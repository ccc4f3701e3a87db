// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BridgeAdapter} from "../src/BridgeAdapter.sol";
import {Credits} from "../src/Credits.sol";
import {IUsdc} from "../src/IUsdc.sol";
import {PaymentSettlement} from "../src/PaymentSettlement.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title Cheatcodes of a script
interface Broadcast {
    function startBroadcast(address sender) external;
    function stopBroadcast() external;
    function envAddress(string calldata name) external view returns (address);
    function envOr(string calldata name, address fallbackValue) external view returns (address);
    function envOr(string calldata name, uint256 fallbackValue) external view returns (uint256);
}

/// @title Deploys the credits contract, its bridge adapter and the contract that settles payments, and hands them over
/// @notice The deployer grants the roles, keeps none of them, and offers the admin role to `ADMIN`, who takes it with
/// `acceptDefaultAdminTransfer()` on each contract once `ADMIN_DELAY_SECONDS` (2 days) are over. Until then the
/// deployer remains admin and may call the offer back. No role goes to the deployer's own address.
/// The contract that settles payments has the minter role, and deploys the code of its customers' escrows itself. Its operator,
/// `PAYMENT_OPERATOR`, has to approve it for its USDC. The adapter executes nothing before its admin has named sources (`setSource`) and daily limits (`setDailyLimit`).
/// @dev `forge script contracts/script/Deploy.s.sol --rpc-url … --broadcast`, with the addresses in the environment: USDC,
/// ADMIN, FEE_RECIPIENT, OPERATOR, PAYMENT_OPERATOR, BRIDGE_RELAYER, MINTER, WHITELISTER, PAUSER, TREASURER, and if there is one
/// SIGNATURE_VERIFIER.
contract Deploy {
    using SafeCast for uint256;

    Broadcast private constant vm = Broadcast(address(uint160(uint256(keccak256("hevm cheat code")))));

    struct Plan {
        address usdc;
        address admin;
        uint256 adminDelay;
        address feeRecipient;
        address operator;
        address paymentOperator;
        address bridgeRelayer;
        address minter;
        address whitelister;
        address pauser;
        address treasurer;
        address signatureVerifier;
    }

    error MissingAddress(string field);
    error DeployerHoldsRole(string field);

    function run() external returns (Credits credits, BridgeAdapter adapter, PaymentSettlement payments) {
        return deploy(
            Plan({
                usdc: vm.envAddress("USDC"),
                admin: vm.envAddress("ADMIN"),
                adminDelay: vm.envOr("ADMIN_DELAY_SECONDS", uint256(2 days)),
                feeRecipient: vm.envAddress("FEE_RECIPIENT"),
                operator: vm.envAddress("OPERATOR"),
                paymentOperator: vm.envAddress("PAYMENT_OPERATOR"),
                bridgeRelayer: vm.envAddress("BRIDGE_RELAYER"),
                minter: vm.envAddress("MINTER"),
                whitelister: vm.envAddress("WHITELISTER"),
                pauser: vm.envAddress("PAUSER"),
                treasurer: vm.envAddress("TREASURER"),
                signatureVerifier: vm.envOr("SIGNATURE_VERIFIER", address(0))
            })
        );
    }

    function deploy(Plan memory plan)
        public
        returns (Credits credits, BridgeAdapter adapter, PaymentSettlement payments)
    {
        _requireComplete(plan);
        uint48 adminDelay = plan.adminDelay.toUint48();
        vm.startBroadcast(msg.sender);
        credits = new Credits(IUsdc(plan.usdc), msg.sender, adminDelay, plan.feeRecipient, plan.signatureVerifier);
        adapter = new BridgeAdapter(address(credits), plan.usdc, msg.sender, adminDelay);
        credits.setBridgeAdapter(address(adapter));
        payments = new PaymentSettlement(credits, msg.sender, adminDelay);

        credits.grantRole(credits.OPERATOR_ROLE(), plan.operator);
        credits.grantRole(credits.MINTER_ROLE(), plan.minter);
        credits.grantRole(credits.MINTER_ROLE(), address(payments));
        credits.grantRole(credits.WHITELIST_ROLE(), plan.whitelister);
        credits.grantRole(credits.PAUSER_ROLE(), plan.pauser);
        adapter.grantRole(adapter.RELAYER_ROLE(), plan.bridgeRelayer);
        adapter.grantRole(adapter.ROUTE_ROLE(), plan.whitelister);
        adapter.grantRole(adapter.TREASURER_ROLE(), plan.treasurer);
        adapter.grantRole(adapter.PAUSER_ROLE(), plan.pauser);
        payments.grantRole(payments.OPERATOR_ROLE(), plan.paymentOperator);
        payments.grantRole(payments.PAUSER_ROLE(), plan.pauser);

        credits.beginDefaultAdminTransfer(plan.admin);
        adapter.beginDefaultAdminTransfer(plan.admin);
        payments.beginDefaultAdminTransfer(plan.admin);
        vm.stopBroadcast();
    }

    function _requireComplete(Plan memory plan) private view {
        if (plan.usdc == address(0)) revert MissingAddress("usdc");
        if (plan.feeRecipient == address(0)) revert MissingAddress("feeRecipient");
        _requireHolder("admin", plan.admin);
        _requireHolder("operator", plan.operator);
        _requireHolder("paymentOperator", plan.paymentOperator);
        _requireHolder("bridgeRelayer", plan.bridgeRelayer);
        _requireHolder("minter", plan.minter);
        _requireHolder("whitelister", plan.whitelister);
        _requireHolder("pauser", plan.pauser);
        _requireHolder("treasurer", plan.treasurer);
    }

    /// @dev The deployer's key is used once, on a machine that deploys: it stays in nobody's service.
    function _requireHolder(string memory field, address holder) private view {
        if (holder == address(0)) revert MissingAddress(field);
        if (holder == msg.sender) revert DeployerHoldsRole(field);
    }
}
