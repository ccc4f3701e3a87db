// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./Payment.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title Mints an ERC-721 token without a hook and returns its id: shape `returned`.
contract ReturnedMerchant is ERC721, Payment {
    uint256 public minted;

    constructor(address usdc_) ERC721("Returned", "RET") Payment(usdc_) {}

    function mint(uint256 price) external returns (uint256 tokenId) {
        _pull(price);
        tokenId = ++minted;
        _mint(msg.sender, tokenId);
    }
}
