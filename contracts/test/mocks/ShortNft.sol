// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title An NFT contract with truncated answers, or answers longer than an address
contract ShortNft {
    bytes private _balance;
    bytes private _owner;
    uint256 public moved;
    bool public refuses;

    /// @param balance the answer of `balanceOf`, byte by byte
    /// @param owner the answer of `ownerOf` once `buy` was called, byte by byte
    function answer(bytes calldata balance, bytes calldata owner) external {
        _balance = balance;
        _owner = owner;
    }

    /// @dev From now on `ownerOf` fails, with the caller's own address as its reason.
    function refuse() external {
        refuses = true;
    }

    function buy() external returns (uint256) {
        return 5;
    }

    /// @dev Leaves nothing of the allowance, and returns what `ownerOf` should have answered.
    function take(IERC20 token, uint256 amount) external returns (address) {
        require(token.transferFrom(msg.sender, address(this), amount));
        return msg.sender;
    }

    function balanceOf(address) external view {
        _answer(_balance);
    }

    function ownerOf(uint256) external view {
        if (refuses) {
            bytes memory asker = abi.encode(msg.sender);
            assembly ("memory-safe") {
                revert(add(asker, 0x20), mload(asker))
            }
        }
        _answer(_owner);
    }

    function transferFrom(address, address, uint256) external {
        ++moved;
    }

    function _answer(bytes memory data) private pure {
        assembly ("memory-safe") {
            return(add(data, 0x20), mload(data))
        }
    }
}
