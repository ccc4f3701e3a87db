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
    /// @dev What is known of a (wallet, nonce): a set of these.
    uint256 internal constant REDEEMED = 1;
    uint256 internal constant CANCELLED = 2;
    uint256 internal constant USDC_COLLECTED = 4;
    uint256 internal constant CREDITED_EARLY = 8;

    /// @notice The chain's own signature verifier (TIP-1020); zero where there is none.
    address public immutable signatureVerifier;

    mapping(address wallet => mapping(bytes32 nonce => uint256)) internal _nonces;
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
        _useNonce(customerWallet, nonce, CANCELLED);
        emit CreditsAuthorizationCancelled(customerWallet, nonce);
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
    function nonceState(address wallet, bytes32 nonce) external view virtual returns (NonceState) {
        return _stateOf(_nonces[wallet][nonce]);
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
    function hashSettlement(Settlement calldata settlement) external pure returns (bytes32) {
        return RedeemHash.settlement(settlement);
    }

    /// @inheritdoc ICredits
    function intentNonce(address customerWallet, bytes32 settlementHash, Intent calldata intent)
        external
        pure
        returns (bytes32)
    {
        return RedeemHash.intentNonce(customerWallet, settlementHash, intent);
    }

    /// @inheritdoc ICredits
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    /// @dev A bound nonce goes with its intent only; an unbound one only with an operator, for a seed that takes it.
    function _requireIntent(
        Permit calldata permit,
        Intent calldata intent,
        Settlement calldata settlement,
        bytes32 creditSeedHash,
        address relayer
    ) internal view {
        if (RedeemHash.isBound(permit.nonce)) {
            bytes32 expected = RedeemHash.intentNonce(permit.customerWallet, RedeemHash.settlement(settlement), intent);
            if (permit.nonce != expected) revert IntentMismatch(permit.nonce, expected);
        } else {
            if (!_unboundPermits[creditSeedHash] || !hasRole(OPERATOR_ROLE, relayer)) {
                revert UnboundPermitNotAllowed(permit.creditSeed, relayer);
            }
            if (intent.salt != 0) revert SaltNotAllowed(intent.salt);
        }
    }

    function _requirePermit(Permit calldata permit, bytes32 creditSeedHash) internal view {
        if (permit.customerWallet == address(0)) revert ZeroAddress("customerWallet");
        if (block.timestamp >= permit.validBefore) revert PermitExpired(permit.validBefore, block.timestamp);
        bytes32 digest = _hashTypedDataV4(RedeemHash.creditsAuthorization(permit, creditSeedHash));
        if (!_isValidSignature(permit.customerWallet, digest, permit.signature)) {
            revert InvalidPermitSignature(permit.customerWallet, digest);
        }
    }

    function _useNonce(address wallet, bytes32 nonce, uint256 use) internal {
        uint256 known = _nonces[wallet][nonce];
        if (known & (REDEEMED | CANCELLED) != 0) revert NonceAlreadyUsed(wallet, nonce, _stateOf(known));
        _nonces[wallet][nonce] = known | use;
    }

    /// @dev Key-held accounts: 65 bytes, `v` 27 or 28, low `s`. Accounts with code (ERC-7702 included): ERC-1271.
    function _isValidSignature(address signer, bytes32 digest, bytes calldata signature) internal view returns (bool) {
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

    function _stateOf(uint256 known) private pure returns (NonceState) {
        if (known & REDEEMED != 0) return NonceState.Redeemed;
        return known & CANCELLED != 0 ? NonceState.Cancelled : NonceState.Unused;
    }
}
