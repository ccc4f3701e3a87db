// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title Breaks one rule: sold as `returned`, it mints to its caller and returns nothing

contract ReturnsNoId is ERC721, Payment {
    uint256 public minted;

    constructor(address usdc_) ERC721("Returns no id", "SILENT") Payment(usdc_) {}

    function mint(uint256 price) external {
        _pull(price);
        _mint(msg.sender, ++minted);
    }
}
