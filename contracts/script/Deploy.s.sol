// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BridgeAdapter} from "../src/BridgeAdapter.sol";
import {Create3Factory} from "../src/Create3Factory.sol";
import {Credits} from "../src/Credits.sol";
import {PaymentSettlement} from "../src/PaymentSettlement.sol";
import {RoleGrant, Setup} from "../src/RoleGrant.sol";
import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {Create3} from "@openzeppelin/contracts/utils/Create3.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title The cheatcodes that the script uses
interface Broadcast {
    function startBroadcast(address sender) external;
    function stopBroadcast() external;
    function envAddress(string calldata name) external view returns (address);
    function envOr(string calldata name, address fallbackValue) external view returns (address);
    function envOr(string calldata name, uint256 fallbackValue) external view returns (uint256);
    function envOr(string calldata name, string calldata fallbackValue) external view returns (string memory);
    function toString(address value) external pure returns (string memory);
    function toString(uint256 value) external pure returns (string memory);
    function toString(bytes calldata value) external pure returns (string memory);
}

/// @title Deploys the credits contract, its bridge adapter and the contract that settles payments
/// @notice The constructors grant all roles: the deployer never holds one, and `ADMIN` is the admin from the first
/// second. The addresses depend only on the deployer and `DEPLOYMENT` (CREATE3), so they are the same on every chain, and so
/// are the customers' escrows.
/// @dev `forge script contracts/script/Deploy.s.sol --rpc-url … --sender …` prints addresses, roles and gas, and sends nothing; add
/// `--broadcast` and a key of the sender to deploy. Environment variables: USDC, ADMIN, FEE_RECIPIENT, OPERATOR, PAYMENT_OPERATOR,
/// BRIDGE_RELAYER, MINTER, WHITELISTER, PAUSER, TREASURER; SIGNATURE_VERIFIER if the chain has one; ADMIN_DELAY_SECONDS (2 days);
/// DEPLOYMENT ("1"): a different text gives different addresses.
/// Afterwards: `PAYMENT_OPERATOR` approves the settlement contract for its USDC; the adapter's admin sets sources
/// (`setSource`) and daily limits (`setDailyLimit`), without which the adapter executes nothing; `setRoute` sets routes.
contract Deploy {
    using SafeCast for uint256;

    Broadcast private constant vm = Broadcast(address(uint160(uint256(keccak256("hevm cheat code")))));
    /// @dev forge's console.
    address private constant CONSOLE = 0x000000000000000000636F6e736F6c652e6c6f67;
    /// @dev The deterministic deployer, which most chains have. It takes a salt and code, and creates the contract.
    address private constant DETERMINISTIC_DEPLOYER = 0x4e59b44847b379578588920cA78FbF26c0B4956C;

    /// @notice Values that differ from chain to chain, and do not change the addresses.
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

    /// @notice The addresses of all contracts.
    struct Addresses {
        Create3Factory factory;
        address credits;
        address adapter;
        address executor;
        address payments;
        address escrowCode;
    }

    error MissingAddress(string field);
    error DeployerHoldsRole(string field);
    error NoDeterministicDeployer(address expected);
    error AlreadyDeployed(string name, address place);
    error DeployedElsewhere(string name, address place, address expected);

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
            }),
            vm.envOr("DEPLOYMENT", "1")
        );
    }

    /// @param deployment part of every salt
    function deploy(Plan memory plan, string memory deployment)
        public
        returns (Credits credits, BridgeAdapter adapter, PaymentSettlement payments)
    {
        _requireComplete(plan);
        Addresses memory places = addressesOf(msg.sender, deployment);
        vm.startBroadcast(msg.sender);
        _deployFactory(places.factory);
        _create(
            places, deployment, "Credits", places.credits, type(Credits).creationCode, _creditsArguments(plan, places)
        );
        _create(
            places,
            deployment,
            "BridgeAdapter",
            places.adapter,
            type(BridgeAdapter).creationCode,
            _adapterArguments(plan, places)
        );
        _create(
            places,
            deployment,
            "PaymentSettlement",
            places.payments,
            type(PaymentSettlement).creationCode,
            _paymentsArguments(plan, places)
        );
        vm.stopBroadcast();
        (credits, adapter, payments) =
        (Credits(places.credits), BridgeAdapter(payable(places.adapter)), PaymentSettlement(places.payments));
        if (address(adapter.executor()) != places.executor) {
            revert DeployedElsewhere("BridgeExecutor", address(adapter.executor()), places.executor);
        }
        _log(string.concat("BridgeExecutor ", vm.toString(places.executor)));
        _log(string.concat("CustomerEscrow ", vm.toString(places.escrowCode)));
        _log(string.concat("CreditsExtension ", vm.toString(credits.extension())));
        _log(string.concat("  --constructor-args ", vm.toString(abi.encode(plan.usdc, plan.signatureVerifier))));
        _log(string.concat("Admin of all three: ", vm.toString(plan.admin)));
    }

    /// @notice The addresses of a deployer's contracts, on every chain.
    function addressesOf(address deployer, string memory deployment) public pure returns (Addresses memory places) {
        address factory =
            Create2.computeAddress(bytes32(0), keccak256(type(Create3Factory).creationCode), DETERMINISTIC_DEPLOYER);
        places.factory = Create3Factory(factory);
        places.credits = _placeOf(factory, deployer, deployment, "Credits");
        places.adapter = _placeOf(factory, deployer, deployment, "BridgeAdapter");
        places.payments = _placeOf(factory, deployer, deployment, "PaymentSettlement");
        places.executor = _firstContractOf(places.adapter);
        places.escrowCode = _firstContractOf(places.payments);
    }

    /// @dev CREATE with nonce 1.
    function _firstContractOf(address creator) private pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"d694", creator, hex"01")))));
    }

    function _creditsArguments(Plan memory plan, Addresses memory places) private view returns (bytes memory) {
        Setup memory setup;
        setup.bridgeAdapter = places.adapter;
        setup.ownContracts = new address[](3);
        setup.ownContracts[0] = places.executor;
        setup.ownContracts[1] = places.payments;
        setup.ownContracts[2] = places.escrowCode;
        setup.grants = new RoleGrant[](5);
        setup.grants[0] = _grant("Credits", "OPERATOR_ROLE", plan.operator);
        setup.grants[1] = _grant("Credits", "MINTER_ROLE", plan.minter);
        setup.grants[2] = _grant("Credits", "MINTER_ROLE", places.payments);
        setup.grants[3] = _grant("Credits", "WHITELIST_ROLE", plan.whitelister);
        setup.grants[4] = _grant("Credits", "PAUSER_ROLE", plan.pauser);
        return
            abi.encode(
                plan.usdc, plan.admin, plan.adminDelay.toUint48(), plan.feeRecipient, plan.signatureVerifier, setup
            );
    }

    function _adapterArguments(Plan memory plan, Addresses memory places) private view returns (bytes memory) {
        RoleGrant[] memory grants = new RoleGrant[](4);
        grants[0] = _grant("BridgeAdapter", "RELAYER_ROLE", plan.bridgeRelayer);
        grants[1] = _grant("BridgeAdapter", "ROUTE_ROLE", plan.treasurer);
        grants[2] = _grant("BridgeAdapter", "TREASURER_ROLE", plan.treasurer);
        grants[3] = _grant("BridgeAdapter", "PAUSER_ROLE", plan.pauser);
        return abi.encode(places.credits, plan.usdc, plan.admin, plan.adminDelay.toUint48(), grants);
    }

    function _paymentsArguments(Plan memory plan, Addresses memory places) private view returns (bytes memory) {
        RoleGrant[] memory grants = new RoleGrant[](2);
        grants[0] = _grant("PaymentSettlement", "OPERATOR_ROLE", plan.paymentOperator);
        grants[1] = _grant("PaymentSettlement", "PAUSER_ROLE", plan.pauser);
        return abi.encode(places.credits, plan.admin, plan.adminDelay.toUint48(), grants);
    }

    function _deployFactory(Create3Factory factory) private {
        if (address(factory).code.length == 0) {
            if (DETERMINISTIC_DEPLOYER.code.length == 0) revert NoDeterministicDeployer(DETERMINISTIC_DEPLOYER);
            (bool success,) = DETERMINISTIC_DEPLOYER.call(bytes.concat(bytes32(0), type(Create3Factory).creationCode));
            if (!success || address(factory).code.length == 0) {
                revert DeployedElsewhere("Create3Factory", address(0), address(factory));
            }
        }
        _log(string.concat("Create3Factory ", vm.toString(address(factory))));
    }

    function _create(
        Addresses memory places,
        string memory deployment,
        string memory name,
        address expected,
        bytes memory creationCode,
        bytes memory arguments
    ) private {
        if (expected.code.length != 0) revert AlreadyDeployed(name, expected);
        uint256 gas = gasleft();
        address place = places.factory.deploy(_saltOf(deployment, name), bytes.concat(creationCode, arguments));
        gas -= gasleft();
        if (place != expected) revert DeployedElsewhere(name, place, expected);
        _log(string.concat(name, " ", vm.toString(place), ", ", vm.toString(gas), " gas without the transaction's own"));
        _log(string.concat("  --constructor-args ", vm.toString(arguments)));
    }

    function _grant(string memory name, string memory role, address account) private view returns (RoleGrant memory) {
        _log(string.concat(name, ".", role, ": ", vm.toString(account)));
        return RoleGrant(keccak256(bytes(role)), account);
    }

    /// @dev Computes the address as the factory does.
    function _placeOf(address factory, address deployer, string memory deployment, string memory name)
        private
        pure
        returns (address)
    {
        return Create3.computeAddress(keccak256(abi.encode(deployer, _saltOf(deployment, name))), factory);
    }

    function _saltOf(string memory deployment, string memory name) private pure returns (bytes32) {
        return keccak256(abi.encode("redeemkit", deployment, name));
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

    /// @dev The deployer's key is used once, on the machine that deploys, and is not kept by any service.
    function _requireHolder(string memory field, address holder) private view {
        if (holder == address(0)) revert MissingAddress(field);
        if (holder == msg.sender) revert DeployerHoldsRole(field);
    }

    function _log(string memory line) private view {
        (bool success,) = CONSOLE.staticcall(abi.encodeWithSignature("log(string)", line));
        // Outside forge, no contract is at the console's address.
        success;
    }
}
