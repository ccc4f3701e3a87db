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
