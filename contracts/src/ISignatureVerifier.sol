// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title A chain's own signature verifier
/// @notice The precompile of chains whose accounts sign with more than secp256k1 (TIP-1020).
interface ISignatureVerifier {
    /// @return Whether `signature` of `digest` is one of `signer`'s.
    function verify(address signer, bytes32 digest, bytes calldata signature) external view returns (bool);

    /// @dev `verifyKeychain` accepts every active access key, limited ones included, so it is not used.
    /// @return Whether `signature` of `digest` is by the key of `account` or an admin key of it (Keychain V2, TIP-1049; since T6).
    function verifyKeychainAdmin(address account, bytes32 digest, bytes calldata signature) external view returns (bool);
}
