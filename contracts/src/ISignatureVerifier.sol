// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title A chain's own signature verifier
/// @notice The precompile of chains whose accounts sign with more than secp256k1 (TIP-1020).
interface ISignatureVerifier {
    /// @notice Checks a signature of any kind.
    /// @param signer the account
    /// @param digest the signed digest
    /// @param signature in the chain's encoding
    /// @return true if the signer signed the digest
    function verify(address signer, bytes32 digest, bytes calldata signature) external view returns (bool);

    /// @notice Checks a signature by the account's own key, or by one of its admin keys (Keychain V2, TIP-1049; since T6).
    /// @dev `verifyKeychain` is not used, because it accepts every active access key, even one with limits.
    /// @param account the account
    /// @param digest the signed digest
    /// @param signature in the chain's encoding
    /// @return true if one of these keys signed the digest
    function verifyKeychainAdmin(address account, bytes32 digest, bytes calldata signature) external view returns (bool);
}
