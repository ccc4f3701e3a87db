// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./Payment.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title Mints ERC-721 tokens to its caller, with the receiver hook: shape `safeMint`.
contract SafeMintMerchant721 is ERC721, Payment {
    uint256 public minted;

    constructor(address usdc_) ERC721("Safe mint", "SAFE") Payment(usdc_) {}

    /// @param price pulled for all of them, in raw units
    function mint(uint256 count, uint256 price) external {
        _pull(price);
        for (uint256 i = 0; i < count; ++i) {
            _safeMint(msg.sender, ++minted);
        }
    }
}
