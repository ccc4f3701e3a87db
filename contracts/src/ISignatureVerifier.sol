// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title A chain's own signature verifier
/// @notice The precompile of chains whose accounts sign with more than secp256k1 (TIP-1020).
interface ISignatureVerifier {
    /// @return Whether `signature` of `digest` is one of `signer`'s.
    function verify(address signer, bytes32 digest, bytes calldata signature) external view returns (bool);

    /// @return Whether `signature` of `digest` is one of an access key that acts for `account` (Keychain V2; since T6).
    function verifyKeychain(address account, bytes32 digest, bytes calldata signature) external view returns (bool);
}
