// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title A smart account with one owner
/// @dev ERC-1271: a signature is valid if the owner made it. The owner is in storage, so the code can also be the
/// delegate of an EIP-7702 account, which then verifies signatures by its own key.
contract SmartWallet is IERC1271, ERC721Holder, ERC1155Holder {
    address private _owner;

    constructor(address owner_) {
        _owner = owner_;
    }

    receive() external payable {}

    function owner() public view returns (address) {
        return _owner == address(0) ? address(this) : _owner;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address signer, ECDSA.RecoverError err,) = ECDSA.tryRecoverCalldata(hash, signature);
        bool valid = err == ECDSA.RecoverError.NoError && signer == owner();
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// @notice Lets the owner call any contract.
    function execute(address target, uint256 value, bytes calldata data) external returns (bytes memory) {
        require(msg.sender == owner(), "SmartWallet: not the owner");
        (bool success, bytes memory answer) = target.call{value: value}(data);
        require(success, "SmartWallet: call failed");
        return answer;
    }
}

/// @title Deploys smart wallets at predictable addresses (CREATE2), as ERC-6492 requires
contract SmartWalletFactory {
    event WalletCreated(address indexed wallet, address indexed owner, uint256 salt);

    /// @notice Deploys the wallet, or returns the existing one.
    function createWallet(address owner, uint256 salt) external returns (address wallet) {
        wallet = walletOf(owner, salt);
        if (wallet.code.length == 0) {
            new SmartWallet{salt: bytes32(salt)}(owner);
            emit WalletCreated(wallet, owner, salt);
        }
    }

    function walletOf(address owner, uint256 salt) public view returns (address) {
        bytes32 codeHash = keccak256(abi.encodePacked(type(SmartWallet).creationCode, abi.encode(owner)));
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, codeHash));
        return address(uint160(uint256(hash)));
    }
}

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
