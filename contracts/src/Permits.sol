// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BoundedCall} from "./BoundedCall.sol";
import {ICredits} from "./ICredits.sol";
import {ISignatureVerifier} from "./ISignatureVerifier.sol";
import {RedeemHash} from "./RedeemHash.sol";
import {Roles} from "./Roles.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title The credit permit: its signature, its nonce, what the nonce commits to, and how it is cancelled
/// @dev PROTOCOL.md 3 and 4.
abstract contract Permits is Roles, EIP712 {
    /// @dev One slot per order. Bits 0 to 159: commitment of the attempt that used it. From bit 160: these flags. From bit
    /// `TIMESTAMP_SHIFT`: when it was used, 40 bits. Zero: unused.
    uint256 internal constant REDEEMED = 1 << 160;
    uint256 internal constant CANCELLED = 1 << 161;
    uint256 internal constant USDC_COLLECTED = 1 << 162;
    uint256 private constant TIMESTAMP_SHIFT = 168;

    /// @notice The chain's own signature verifier (TIP-1020); zero where there is none.
    address public immutable signatureVerifier;

    mapping(address wallet => mapping(bytes12 orderKey => uint256)) internal _orders;
    mapping(bytes32 creditSeedHash => bool) private _unboundPermits;

    constructor(address signatureVerifier_) EIP712("Credits", "1") {
        signatureVerifier = signatureVerifier_;
    }

    /// @inheritdoc ICredits
    function cancelCreditsAuthorization(address customerWallet, bytes32 nonce, bytes calldata signature)
        external
        virtual
    {
        bytes32 digest = hashCancelCreditsAuthorization(customerWallet, nonce);
        if (!_isValidSignature(customerWallet, digest, signature)) {
            revert InvalidCancelSignature(customerWallet, digest);
        }
        _useOrder(customerWallet, nonce, CANCELLED);
        emit CreditsAuthorizationCancelled(customerWallet, bytes12(nonce), nonce);
    }

    /// @inheritdoc ICredits
    function setUnboundPermits(string calldata creditSeed, bool allowed) external onlyRole(WHITELIST_ROLE) {
        bytes32 creditSeedHash = keccak256(bytes(creditSeed));
        _unboundPermits[creditSeedHash] = allowed;
        emit UnboundPermitsSet(creditSeedHash, creditSeed, allowed);
    }

    /// @inheritdoc ICredits
    function unboundPermitsAllowed(string calldata creditSeed) external view returns (bool) {
        return _unboundPermits[keccak256(bytes(creditSeed))];
    }

    /// @inheritdoc ICredits
    function orderState(address wallet, bytes12 orderKey)
        external
        view
        virtual
        returns (OrderState state, bytes20 commitment, uint40 timestamp)
    {
        uint256 known = _orders[wallet][orderKey];
        return (_stateOf(known), _commitmentOf(known), uint40(known >> TIMESTAMP_SHIFT));
    }

    /// @inheritdoc ICredits
    function hashCreditsAuthorization(Permit calldata permit) external view returns (bytes32 digest) {
        return _hashTypedDataV4(RedeemHash.creditsAuthorization(permit, keccak256(bytes(permit.creditSeed))));
    }

    /// @inheritdoc ICredits
    function hashCancelCreditsAuthorization(address customerWallet, bytes32 nonce)
        public
        view
        returns (bytes32 digest)
    {
        return _hashTypedDataV4(RedeemHash.cancelCreditsAuthorization(customerWallet, nonce));
    }

    /// @inheritdoc ICredits
    function intentNonce(bytes12 orderKey, address customerWallet, bytes32 settlementHash, Intent calldata intent)
        external
        pure
        returns (bytes32)
    {
        return
            RedeemHash.intentNonce(
                orderKey, customerWallet, settlementHash, intent.amount, intent.usdcAmount, intent.salt
            );
    }

    /// @inheritdoc ICredits
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    /// @dev A random nonce is accepted from an operator only, for a credit seed that allows it.
    function _requireUnboundAllowed(string calldata creditSeed, bytes32 creditSeedHash, bytes32 salt, address relayer)
        internal
        view
    {
        if (!_unboundPermits[creditSeedHash] || !hasRole(OPERATOR_ROLE, relayer)) {
            revert UnboundPermitNotAllowed(creditSeed, relayer);
        }
        if (salt != 0) revert SaltNotAllowed(salt);
    }

    function _requirePermit(Permit calldata permit, bytes32 creditSeedHash) internal view {
        if (permit.customerWallet == address(0)) revert ZeroAddress("customerWallet");
        if (block.timestamp >= permit.validBefore) revert PermitExpired(permit.validBefore, block.timestamp);
        bytes32 digest = _hashTypedDataV4(RedeemHash.creditsAuthorization(permit, creditSeedHash));
        if (!_isValidSignature(permit.customerWallet, digest, permit.signature)) {
            revert InvalidPermitSignature(permit.customerWallet, digest);
        }
    }

    /// @dev Uses up the order of a nonce: every other attempt of it, by whatever nonce, reverts from now on.
    function _useOrder(address wallet, bytes32 nonce, uint256 flags) internal {
        mapping(bytes12 orderKey => uint256) storage orders = _orders[wallet];
        bytes12 orderKey = bytes12(nonce);
        uint256 known = orders[orderKey];
        if (known != 0) revert OrderUsed(wallet, orderKey, _stateOf(known), _commitmentOf(known));
        orders[orderKey] = uint160(uint256(nonce)) | flags | block.timestamp << TIMESTAMP_SHIFT;
    }

    /// @dev Whether a redeem took USDC by an authorization with this full nonce.
    function _isUsdcCollected(address wallet, bytes32 nonce) internal view virtual returns (bool) {
        uint256 known = _orders[wallet][bytes12(nonce)];
        return known & USDC_COLLECTED != 0 && uint160(known) == uint160(uint256(nonce));
    }

    /// @dev Key-held accounts: 65 bytes, `v` 27 or 28, low `s`. Accounts with code (ERC-7702 included): ERC-1271.
    function _isValidSignature(address signer, bytes32 digest, bytes calldata signature) private view returns (bool) {
        if (signatureVerifier != address(0)) {
            (bool success, uint256 valid, uint256 size) =
                BoundedCall.readOnly(signatureVerifier, _verifierCall(signer, digest, signature));
            if (success && size >= 32 && valid == 1) return true;
        }
        return SignatureChecker.isValidSignatureNowCalldata(signer, digest, signature);
    }

    /// @dev 0x04 opens an access key's signature (Keychain V2), but 65 bytes are always a plain key's.
    function _verifierCall(address signer, bytes32 digest, bytes calldata signature)
        private
        pure
        returns (bytes memory)
    {
        bool keychain = signature.length > 65 && signature[0] == 0x04;
        bytes4 selector = keychain ? ISignatureVerifier.verifyKeychain.selector : ISignatureVerifier.verify.selector;
        return abi.encodeWithSelector(selector, signer, digest, signature);
    }

    function _stateOf(uint256 known) private pure returns (OrderState) {
        if (known & REDEEMED != 0) return OrderState.Redeemed;
        return known & CANCELLED != 0 ? OrderState.Cancelled : OrderState.Unused;
    }

    function _commitmentOf(uint256 known) private pure returns (bytes20) {
        return bytes20(uint160(known));
    }
}
