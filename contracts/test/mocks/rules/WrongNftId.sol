// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title Breaks one rule: it delivers the token after the one that was bought

contract WrongNftId is ERC721, Payment {
    uint256 public constant PRICE = 10_000_000;

    constructor(address usdc_) ERC721("Wrong id", "WRONG") Payment(usdc_) {
        for (uint256 id = 1; id <= 20; ++id) {
            _mint(address(this), id);
        }
    }

    function buy(uint256 tokenId) external {
        _pull(PRICE);
        _transfer(address(this), msg.sender, tokenId + 1);
    }
}
