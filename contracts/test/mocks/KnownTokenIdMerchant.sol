// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./Payment.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title Sells existing ERC-721 tokens at a price each: shape `known token id`.
contract KnownTokenIdMerchant is ERC721, Payment {
    mapping(uint256 tokenId => uint256) public priceOf;

    constructor(address usdc_) ERC721("Known", "KNOWN") Payment(usdc_) {}

    /// @notice Mints a token and puts it up for sale. Anyone may call it: it is a mock.
    function list(uint256 tokenId, uint256 price) external {
        if (_ownerOf(tokenId) == address(0)) _mint(address(this), tokenId);
        require(ownerOf(tokenId) == address(this), "KnownTokenIdMerchant: sold");
        priceOf[tokenId] = price;
    }

    function buy(uint256 tokenId) external {
        require(_ownerOf(tokenId) == address(this), "KnownTokenIdMerchant: not for sale");
        _pull(priceOf[tokenId]);
        _transfer(address(this), msg.sender, tokenId);
    }
}
