// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title A chain's own signature verifier
/// @notice The precompile of chains whose accounts sign with more than secp256k1 (TIP-1020).
interface ISignatureVerifier {
    /// @notice Checks a signature of any kind.
    /// @param signer the account
    /// @param digest what was signed
    /// @param signature in the chain's encoding
    /// @return whether it is one of the signer's
    function verify(address signer, bytes32 digest, bytes calldata signature) external view returns (bool);

    /// @notice Checks a signature by the account's own key, or by an admin key of it (Keychain V2, TIP-1049; since T6).
    /// @dev `verifyKeychain` accepts every active access key, limited ones included, so it is not used.
    /// @param account the account
    /// @param digest what was signed
    /// @param signature in the chain's encoding
    /// @return whether it is by one of these keys
    function verifyKeychainAdmin(address account, bytes32 digest, bytes calldata signature) external view returns (bool);
}
