// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ITokenRescue} from "./ITokenRescue.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

/// @title The admin moves what came by mistake
/// @dev For a contract that holds nothing between two transactions: everything that lies there is a mistake.
abstract contract TokenRescue is ITokenRescue, AccessControlDefaultAdminRules {
    using SafeERC20 for IERC20;

    /// @notice Sends ERC-20 tokens that came by mistake on, USDC too. Only the admin.
    /// @param token its contract
    /// @param amount raw units
    /// @param to their receiver
    function rescueErc20(IERC20 token, uint256 amount, address to) external virtual onlyRole(DEFAULT_ADMIN_ROLE) {
        emit Rescued(address(token), amount, to);
        token.safeTransfer(to, amount);
    }

    /// @notice Sends an ERC-721 token that came by mistake on. Only the admin.
    /// @param nftContract its contract
    /// @param nftId the token
    /// @param to its receiver
    function rescueNft(IERC721 nftContract, uint256 nftId, address to) external onlyRole(DEFAULT_ADMIN_ROLE) {
        emit Rescued(address(nftContract), nftId, to);
        nftContract.transferFrom(address(this), to, nftId);
    }
}
