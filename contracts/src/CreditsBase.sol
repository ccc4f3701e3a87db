// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Books} from "./Books.sol";
import {BoundedCall} from "./BoundedCall.sol";
import {EmergencyPause} from "./EmergencyPause.sol";
import {ForbiddenCalls} from "./ForbiddenCalls.sol";
import {ICredits} from "./ICredits.sol";
import {ISignatureVerifier} from "./ISignatureVerifier.sol";
import {IUsdc} from "./IUsdc.sol";
import {InitialRoles} from "./InitialRoles.sol";
import {RedeemHash} from "./RedeemHash.sol";
import {Setup} from "./RoleGrant.sol";
import {Totals} from "./Totals.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title The shared part of `Credits` and `CreditsExtension`: all storage, orders, signatures and the whitelist
/// @dev All storage is declared here or in an inherited contract. `Credits` and `CreditsExtension` add none, so both
/// use the same slots. Backing: `usdc.balanceOf(this) >= totalCredits + feesOwed` before and after every call. One
/// transient reentrancy guard covers every function that moves money, so no other function observes or uses the balance
/// during a merchant's call.
abstract contract CreditsBase is ICredits, InitialRoles, EmergencyPause, ReentrancyGuardTransient, EIP712, Books {
    using SafeERC20 for IUsdc;
    using Totals for uint256;

    /// @notice Relays redeems for a fee, redeems permits with random nonces, and credits early authorizations.
    bytes32 public constant OPERATOR_ROLE = keccak256("OPERATOR_ROLE");
    /// @notice Mints credits and pays for them, and burns credits, which pays USDC to the wallet that held them.
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    /// @notice Sets whitelist entries, and whether a credit seed accepts random nonces.
    bytes32 public constant WHITELIST_ROLE = keccak256("WHITELIST_ROLE");

    // Layout of an order's slot, which is zero while unused. Bits 0 to 159: commitment of the attempt that used the
    // order. Bits 160 to 162: these flags. Bits 168 to 207: time of use.
    uint256 internal constant REDEEMED = 1 << 160;
    uint256 internal constant CANCELLED = 1 << 161;
    uint256 internal constant USDC_COLLECTED = 1 << 162;
    uint256 internal constant TIMESTAMP_SHIFT = 168;

    uint256 private constant FILTER_SIZE = 56;

    struct WhitelistEntry {
        bool allowed;
        uint64 minimumGas;
    }

    struct WhitelistTarget {
        WhitelistEntry any;
        uint32 entries;
        mapping(bytes4 selector => WhitelistEntry) selectors;
    }

    /// @inheritdoc ICredits
    IUsdc public immutable usdc;
    /// @notice The chain's own signature verifier (TIP-1020); zero if the chain has none.
    address public immutable signatureVerifier;

    mapping(address wallet => mapping(bytes12 orderKey => uint256)) internal _orders;
    mapping(bytes32 creditSeedHash => mapping(uint256 chainId => mapping(address target => WhitelistTarget))) internal
        _whitelist;
    mapping(bytes32 creditSeedHash => bool) internal _randomNoncePermits;
    mapping(address account => bool) internal _ownContracts;
    mapping(address from => mapping(bytes32 nonce => bool)) internal _creditedEarly;
    /// @inheritdoc ICredits
    mapping(address customerWallet => uint256) public burnNonce;
    /// @inheritdoc ICredits
    address public feeRecipient;
    /// @inheritdoc ICredits
    address public bridgeAdapter;

    constructor(
        IUsdc usdc_,
        address admin,
        uint48 adminDelay,
        address feeRecipient_,
        address signatureVerifier_,
        Setup memory setup
    ) AccessControlDefaultAdminRules(adminDelay, admin) InitialRoles(setup.grants) EIP712("Credits", "1") {
        if (address(usdc_).code.length == 0) revert TargetWithoutCode(address(usdc_));
        usdc = usdc_;
        signatureVerifier = signatureVerifier_;
        _setFeeRecipient(feeRecipient_);
        if (setup.bridgeAdapter != address(0)) {
            _setOwnContract(setup.bridgeAdapter, true);
            _setBridgeAdapter(setup.bridgeAdapter);
        }
        for (uint256 i = 0; i < setup.ownContracts.length; ++i) {
            _setOwnContract(setup.ownContracts[i], true);
        }
    }

    // USDC

    /// @dev Pays the USDC behind credits to the wallet that holds them.
    function _burn(string calldata creditSeed, address wallet, uint256 amount) internal {
        if (wallet == address(this)) revert ForbiddenTarget(wallet);
        if (amount == 0) revert ZeroAmount();
        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        _charge(creditSeed, creditSeedHash, wallet, amount, 0);
        emit Burned(creditSeedHash, wallet, creditSeed, amount);
        usdc.safeTransfer(wallet, amount);
        _requireSolvent();
    }

    function _balance() internal view returns (uint256) {
        return usdc.balanceOf(address(this));
    }

    function _requireReceived(uint256 balanceBefore, uint256 expected) internal view {
        uint256 received = _balance() - balanceBefore;
        if (received != expected) revert TransferredAmountMismatch(received, expected);
    }

    function _requireSolvent() internal view {
        uint256 balance = _balance();
        uint256 owed = _owed();
        if (balance < owed) revert Insolvent(balance, owed);
    }

    // Orders

    /// @dev Uses up the order of a nonce: every later attempt at the order, with any nonce, reverts.
    function _useOrder(address wallet, bytes32 nonce, uint256 flags) internal {
        mapping(bytes12 orderKey => uint256) storage orders = _orders[wallet];
        bytes12 orderKey = bytes12(nonce);
        uint256 order = orders[orderKey];
        if (order != 0) revert OrderUsed(wallet, orderKey, _stateOf(order), _commitmentOf(order));
        orders[orderKey] = uint160(uint256(nonce)) | flags | (block.timestamp << TIMESTAMP_SHIFT);
    }

    function _stateOf(uint256 order) internal pure returns (OrderState) {
        if (order & REDEEMED != 0) return OrderState.Redeemed;
        return order & CANCELLED != 0 ? OrderState.Cancelled : OrderState.Unused;
    }

    function _commitmentOf(uint256 order) internal pure returns (bytes20) {
        return bytes20(uint160(order));
    }

    // Signatures

    /// @dev Accepts from keys: 65 bytes, `v` 27 or 28, low `s`. Accounts with code (including EIP-7702) verify by ERC-1271.
    function _isValidSignature(address signer, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        if (signatureVerifier != address(0)) {
            (bool success, uint256 valid, uint256 size) =
                BoundedCall.readOnly(signatureVerifier, _verifierCall(signer, digest, signature));
            if (success && size >= 32 && valid == 1) return true;
        }
        return SignatureChecker.isValidSignatureNowCalldata(signer, digest, signature);
    }

    /// @dev The signature of an access key begins with 0x04 (Keychain V2). A 65-byte signature is always from a plain
    /// key. A permit would bypass the limits of an access key, so only admin keys may sign.
    function _verifierCall(address signer, bytes32 digest, bytes calldata signature)
        private
        pure
        returns (bytes memory)
    {
        bool keychain = signature.length > 65 && signature[0] == 0x04;
        bytes4 selector =
            keychain ? ISignatureVerifier.verifyKeychainAdmin.selector : ISignatureVerifier.verify.selector;
        return abi.encodeWithSelector(selector, signer, digest, signature);
    }

    // Allowed targets and destinations of a redeem

    function _whitelistRule(bytes32 creditSeedHash, uint256 chainId, address target, bytes4 selector)
        internal
        view
        returns (bool allowed, uint256 minimumGas)
    {
        WhitelistTarget storage entry = _whitelist[creditSeedHash][chainId][target];
        WhitelistEntry memory rule = entry.selectors[selector];
        if (!rule.allowed && !ForbiddenCalls.isBundle(selector)) rule = entry.any;
        return (rule.allowed, rule.minimumGas);
    }

    function _requireNotForbidden(address target) internal view {
        if (target == ForbiddenCalls.PERMIT2) revert ForbiddenTarget(target);
        _requireNotOwn(target);
    }

    /// @dev Refuses the token, this contract and the other contracts of the deployment.
    function _requireNotOwn(address target) internal view {
        if (target == address(usdc) || target == address(this) || isOwnContract(target)) {
            revert ForbiddenTarget(target);
        }
    }

    /// @inheritdoc ICredits
    function isOwnContract(address account) public view returns (bool) {
        // The filter avoids a mapping read for nearly every account: it shares a slot that is read anyway. The bits of
        // a removed contract stay set.
        uint256 bits = _filterOf(account);
        return _totals.filter() & bits == bits && _ownContracts[account];
    }

    function _filterOf(address account) internal pure returns (uint256) {
        uint256 number = uint160(account);
        return (1 << (number % FILTER_SIZE)) | (1 << ((number >> 16) % FILTER_SIZE));
    }

    // Settings

    function _setOwnContract(address account, bool own) internal {
        _ownContracts[account] = own;
        if (own) _totals = _totals.withFilter(_totals.filter() | _filterOf(account));
        emit OwnContractSet(account, own);
    }

    function _setBridgeAdapter(address adapter) internal {
        bridgeAdapter = adapter;
        emit BridgeAdapterSet(adapter);
    }

    function _setFeeRecipient(address recipient) internal {
        if (recipient == address(0)) revert ZeroAddress("feeRecipient");
        if (recipient == address(this)) revert ForbiddenTarget(recipient);
        feeRecipient = recipient;
        emit FeeRecipientSet(recipient);
    }

    function _pausedUntil() internal view override returns (uint256) {
        return _totals.pausedUntil();
    }

    function _setPausedUntil(uint40 until) internal override {
        _totals = _totals.withPause(until);
    }
}
