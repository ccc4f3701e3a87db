// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title Returns as many bytes as requested to every call
contract BombWallet {
    uint256 private immutable _size;

    constructor(uint256 size) {
        _size = size;
    }

    fallback() external {
        uint256 size = _size;
        assembly {
            mstore(0, shl(224, 0x1626ba7e))
            return(0, size)
        }
    }
}

/// @title Rejects every signature
contract RefusingWallet is IERC1271 {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0xffffffff;
    }
}

/// @title Reverts on every signature
contract RevertingWallet is IERC1271 {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        revert("RevertingWallet");
    }
}

/// @title A chain's own signature verifier that accepts one signature
contract MockVerifier {
    address public signer;
    bytes32 public digest;
    bytes32 public signatureHash;

    function accept(address signer_, bytes32 digest_, bytes calldata signature) external {
        signer = signer_;
        digest = digest_;
        signatureHash = keccak256(signature);
    }

    function verify(address signer_, bytes32 digest_, bytes calldata signature) external view returns (bool) {
        require(signature.length != 0, "MockVerifier: malformed");
        require(signature.length == 65 || signature[0] != 0x04, "MockVerifier: keychain");
        return signer_ == signer && digest_ == digest && keccak256(signature) == signatureHash;
    }

    /// @dev Tempo's verifier accepts every active access key, even one with limits.
    function verifyKeychain(address, bytes32, bytes calldata) external pure returns (bool) {
        return true;
    }

    function verifyKeychainAdmin(address account, bytes32 digest_, bytes calldata signature)
        external
        view
        returns (bool)
    {
        require(signature.length > 65 && signature[0] == 0x04, "MockVerifier: no keychain");
        return account == signer && digest_ == digest && keccak256(signature) == signatureHash;
    }
}

/// @title Reverts with the word that, if returned, means a valid signature
contract RevertingVerifier {
    fallback() external {
        assembly {
            mstore(0, 1)
            revert(0, 32)
        }
    }
}

/// @title Returns any given bytes
contract OddVerifier {
    bytes private _answer;

    function set(bytes calldata data) external {
        _answer = data;
    }

    fallback() external {
        bytes memory data = _answer;
        assembly {
            return(add(data, 0x20), mload(data))
        }
    }
}
