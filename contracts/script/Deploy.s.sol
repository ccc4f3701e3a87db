// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BridgeAdapter} from "../src/BridgeAdapter.sol";
import {Credits} from "../src/Credits.sol";

/// @title Cheatcodes of a script
interface Broadcast {
    function startBroadcast(address sender) external;
    function stopBroadcast() external;
    function envAddress(string calldata name) external view returns (address);
    function envOr(string calldata name, address fallbackValue) external view returns (address);
    function envOr(string calldata name, uint256 fallbackValue) external view returns (uint256);
}

/// @title Deploys the credits contract and its bridge adapter, and hands them over
/// @notice The deployer grants the roles, keeps none of them, and offers the admin role to `ADMIN`, who takes it with
/// `acceptDefaultAdminTransfer()` on both contracts once `ADMIN_DELAY_SECONDS` (2 days) are over. Until then the
/// deployer remains admin and may call the offer back.
/// @dev `forge script contracts/script/Deploy.s.sol --rpc-url … --broadcast`, with the addresses in the environment:
/// USDC, ADMIN, FEE_RECIPIENT, OPERATOR, MINTER, WHITELISTER, PAUSER, TREASURER, and if there is one SIGNATURE_VERIFIER.
contract Deploy {
    Broadcast private constant vm = Broadcast(address(uint160(uint256(keccak256("hevm cheat code")))));

    struct Plan {
        address usdc;
        address admin;
        uint48 adminDelay;
        address feeRecipient;
        address operator;
        address minter;
        address whitelister;
        address pauser;
        address treasurer;
        address signatureVerifier;
    }

    error MissingAddress(string field);

    function run() external returns (Credits credits, BridgeAdapter adapter) {
        return deploy(
            Plan({
                usdc: vm.envAddress("USDC"),
                admin: vm.envAddress("ADMIN"),
                adminDelay: uint48(vm.envOr("ADMIN_DELAY_SECONDS", uint256(2 days))),
                feeRecipient: vm.envAddress("FEE_RECIPIENT"),
                operator: vm.envAddress("OPERATOR"),
                minter: vm.envAddress("MINTER"),
                whitelister: vm.envAddress("WHITELISTER"),
                pauser: vm.envAddress("PAUSER"),
                treasurer: vm.envAddress("TREASURER"),
                signatureVerifier: vm.envOr("SIGNATURE_VERIFIER", address(0))
            })
        );
    }

    function deploy(Plan memory plan) public returns (Credits credits, BridgeAdapter adapter) {
        _requireComplete(plan);
        vm.startBroadcast(msg.sender);
        credits = new Credits(plan.usdc, msg.sender, plan.adminDelay, plan.feeRecipient, plan.signatureVerifier);
        adapter = new BridgeAdapter(address(credits), plan.usdc, msg.sender, plan.adminDelay);
        credits.setBridgeAdapter(address(adapter));

        credits.grantRole(credits.OPERATOR_ROLE(), plan.operator);
        credits.grantRole(credits.MINTER_ROLE(), plan.minter);
        credits.grantRole(credits.WHITELIST_ROLE(), plan.whitelister);
        credits.grantRole(credits.PAUSER_ROLE(), plan.pauser);
        adapter.grantRole(adapter.RELAYER_ROLE(), plan.operator);
        adapter.grantRole(adapter.ROUTE_ROLE(), plan.whitelister);
        adapter.grantRole(adapter.TREASURER_ROLE(), plan.treasurer);

        credits.beginDefaultAdminTransfer(plan.admin);
        adapter.beginDefaultAdminTransfer(plan.admin);
        vm.stopBroadcast();
    }

    function _requireComplete(Plan memory plan) private pure {
        if (plan.usdc == address(0)) revert MissingAddress("usdc");
        if (plan.admin == address(0)) revert MissingAddress("admin");
        if (plan.feeRecipient == address(0)) revert MissingAddress("feeRecipient");
        if (plan.operator == address(0)) revert MissingAddress("operator");
        if (plan.minter == address(0)) revert MissingAddress("minter");
        if (plan.whitelister == address(0)) revert MissingAddress("whitelister");
        if (plan.pauser == address(0)) revert MissingAddress("pauser");
        if (plan.treasurer == address(0)) revert MissingAddress("treasurer");
    }
}
